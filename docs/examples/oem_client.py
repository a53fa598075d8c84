# Starts an inventory and prints tags, through gRPC alone. Make the standard stubs once:
#   pip install grpcio grpcio-tools
#   python3 -m grpc_tools.protoc -I proto --python_out=. --grpc_python_out=. \
#       singulate/radio/v1/radio.proto
#   python3 oem_client.py unix:/path/to/radio.sock        (or host:port)
import sys

import grpc
from singulate.radio.v1 import radio_pb2, radio_pb2_grpc

target = sys.argv[1] if len(sys.argv) > 1 else "unix:.singulate/radio.sock"
radio = radio_pb2_grpc.RadioStub(grpc.insecure_channel(target))

# Listen first, so that no read is missed; then start every antenna with its defaults.
stream = radio.StreamReads(radio_pb2.StreamReadsRequest(), wait_for_ready=True)
stream.initial_metadata()  # returns once the subscription stands
report = radio_pb2.ReportFilter(kind="INTERVAL", scope="PER_ANTENNA", period_ms=1000)
plan = radio_pb2.InventoryPlan(report_filter=report)
try:
    radio.StartInventory(radio_pb2.StartInventoryRequest(plan=plan, owner="oem-client"))
except grpc.RpcError as error:  # somebody else reads: we listen along
    print(f"start: {error.details()}", file=sys.stderr)

try:
    for batch in stream:
        for read in batch.reads:
            rssi = read.rssi_cdbm / 100
            print(f"{read.epc.hex()}  antenna {read.antenna}  {rssi:.1f} dBm  x{read.seen_count}", flush=True)
except KeyboardInterrupt:
    radio.StopInventory(radio_pb2.StopInventoryRequest())
