"""The rules-free core: records, kernels, dice, boards, the event tape and the batched loops."""
