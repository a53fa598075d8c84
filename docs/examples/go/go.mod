module example.com/oem-client

go 1.19

require (
	google.golang.org/genproto/googleapis/rpc v0.0.0-20230706204954-ccb25ca9f130
	google.golang.org/grpc v1.57.1
	google.golang.org/protobuf v1.31.0
)
