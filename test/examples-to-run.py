#! /usr/bin/env python3

# SPDX-License-Identifier: GPL-2.0-only

# The examples that are run as tests, by ns-3's test.py and by the standalone build's ctest.
# Keep one tuple a line: (command line, run it, run it under valgrind).
cpp_examples = [
    ("ocs-first-circuit --bytes=2000000 --at=100us --json=-", "True", "False"),
    ("close-a-ring --json=-", "True", "False"),
    ("rdma-over-circuit --json=-", "True", "False"),
    ("rdma-over-circuit --cut-at=10us --cut-for=25us --json=-", "True", "False"),
    ("ocs-first-circuit --bytes=2000000 --at=100us --fidelity=events --json=-", "True", "False"),
    ("close-a-ring --fidelity=events --json=-", "True", "False"),
    ("rdma-over-circuit --fidelity=events --json=-", "True", "False"),
    ("rdma-over-circuit --fidelity=trains --json=-", "True", "False"),
    ("rdma-over-circuit --trace-at=5us --trace-for=5us --json=-", "True", "False"),
    ("rdma-over-circuit --cut-at=10us --cut-for=25us --fidelity=events --json=-", "True", "False"),
    ("rdma-over-circuit --cut-at=10us --cut-for=25us --fidelity=trains --json=-", "True", "False"),
    ("incast --senders=4 --json=-", "True", "False"),
    ("incast --senders=4 --fidelity=events --json=-", "True", "False"),
    ("incast --senders=4 --pfc=false --congestion=none --json=-", "True", "False"),
    ("rail-collective --ranks=4 --min=64K --max=1M --factor=4 --json=-", "True", "False"),
    ("rail-collective --ranks=4 --min=64K --max=64K --fidelity=events --json=-", "True", "False"),
    ("rail-collective --rail-kind=electrical --min=64K --max=256K --factor=4 --json=-", "True", "False"),
    ("rail-collective --algorithm=halving-doubling --min=64K --max=64K --json=-", "True", "False"),
    ("rail-collective --collective=all-to-all --min=64K --max=1M --factor=4 --json=-", "True", "False"),
    ("rail-collective --collective=all-to-all --algorithm=matchings --reconfiguration=10us --max=4M --json=-", "True", "False"),
    ("rail-collective --collective=all-to-all --algorithm=matchings --reconfiguration=10us --max=1M --fidelity=events --json=-", "True", "False"),
    ("rail-collective --algorithm=straggl-ar --reconfiguration=10us --straggler-delay=1ms --max=1M --json=-", "True", "False"),
    ("rail-collective --algorithm=straggl-ar --rail-kind=electrical --ports=1 --straggler-delay=1ms --max=1M --json=-", "True", "False"),
    ("rail-collective --collective=barrier --rail-kind=electrical --json=-", "True", "False"),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --chart=0 --json=-", "True", "False"),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --policies=provisioned --fidelity=events --chart=0 --json=-", "True", "False"),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --policies=static-split,one-shot,demand,rotor:200us,co-scheduled --chart=0 --json=-", "True", "False"),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --policies=on-demand,provisioned --granularity=Rail --chart=0 --json=-", "True", "False"),
    ("opus-control-plane --parameters=2M --activations=512K --forward=200us --reconfiguration=100us --policies=provisioned --standby --crash=2ms --loss=0.01 --chart=0 --json=-", "True", "False"),
    ("static-or-not --size=1M --json=-", "True", "False"),
    ("static-or-not --size=1M --fidelity=events --at-once --json=-", "True", "False"),
    ("static-or-not --size=1M --rings=dp,pp,cp --json=-", "True", "False"),
    ("photonic-training --quick --json=-", "True", "False"),
    ("photonic-training --quick --iterations=1 --reconfiguration=25ms --schedule=zb-h1 --print-program=9 --json=-", "True", "False"),
    ("photonic-training --layers=2 --microbatch-size=1 --sequence=1024 --policy=on-demand,provisioned --reconfiguration=1ms --json=-", "True", "False"),
    ("photonic-training --layers=4 --schedule=interleaved --chunks=2 --dp=1 --cp=2 --context=ring --microbatch-size=1 --sequence=1024 --policy=static-split --ports=4 --json=-", "True", "False"),
    ("one-training-job --json=-", "True", "False"),
    ("trace-replay --json=-", "True", "False"),
    ("trace-replay --rail-kind=electrical --json=-", "True", "False"),
    ("trace-replay --policy=provisioned --passes=3 --json=-", "True", "False"),
    ("trace-replay --policy=static-split --post-receives --fidelity=events --json=-", "True", "False"),
    ("trace-replay --scale-up-size=2 --json=-", "True", "False"),
    ("cost-and-power --json=-", "True", "False"),
    ("cost-and-power --servers=64 --generation=gb200 --switch-optics=false --fidelity=events --json=-", "True", "False"),
]

python_examples = []
