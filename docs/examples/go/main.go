// Command oem-client prints the tags that a Singulate reader sees, and writes an EPC, through gRPC
// alone. README.md says how to build it.
//
//	oem-client unix:/path/to/radio.sock
//	oem-client -write 3034257bf7194e4000001a85=e2001122 unix:/path/to/radio.sock
//	oem-client -ca ca.pem -cert client.pem -key client.key reader.local:50051
//
// Tags go to standard output, everything else to standard error. Ctrl-C ends it.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"

	radiov1 "example.com/oem-client/radiov1"
)

const (
	name = "oem-go"
	// Deadline of a call: a reader that hangs must not hang its clients.
	callTimeout = 5 * time.Second
)

func main() {
	log.SetFlags(0)
	write := epcChange{}
	flag.Var(&write, "write", "`OLD=NEW`: EPCs in hex, whole words of 4 digits")
	ca := flag.String("ca", "", "PEM `file` of the authority of the reader's certificate")
	cert := flag.String("cert", "", "PEM `file` of our certificate")
	key := flag.String("key", "", "PEM `file` of its key")
	flag.Parse()
	target := "unix:.singulate/radio.sock"
	if flag.NArg() > 0 {
		target = flag.Arg(0)
	}

	connection, err := connect(target, *ca, *cert, *key)
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	radio := radiov1.NewRadioClient(connection)

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listening := make(chan struct{})
	var control sync.WaitGroup
	control.Add(1)
	go func() {
		defer control.Done()
		keepControl(ctx, radio, write, listening)
	}()
	err = printTags(ctx, radio, listening)
	stop()
	control.Wait()
	if err != nil {
		log.Fatalf("reads: %s", describe(err))
	}
}

// connect returns at once: gRPC connects when there is something to send, and again after a loss.
func connect(target, ca, cert, key string) (*grpc.ClientConn, error) {
	security := grpc.WithInsecure() // a Unix socket has file permissions instead
	if ca != "" || cert != "" || key != "" {
		config, err := tlsConfig(ca, cert, key)
		if err != nil {
			return nil, err
		}
		security = grpc.WithTransportCredentials(credentials.NewTLS(config))
	}
	return grpc.Dial(target, security,
		// gRPC itself would wait up to two minutes before it connects again.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay: firstWait, Multiplier: 2, Jitter: 0.2, MaxDelay: longestWait,
			},
			MinConnectTimeout: callTimeout,
		}),
		// Only pings tell an idle stream from a dead line.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 20 * time.Second, Timeout: 5 * time.Second,
		}),
	)
}

func tlsConfig(ca, cert, key string) (*tls.Config, error) {
	if ca == "" || cert == "" || key == "" {
		return nil, errors.New("-ca, -cert and -key go together")
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate", ca)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: authorities}, nil
}

// epcChange is the option -write; without it, `from` is nil.
type epcChange struct{ from, to []byte }

func (c *epcChange) String() string {
	return hex.EncodeToString(c.from) + "=" + hex.EncodeToString(c.to)
}

func (c *epcChange) Set(text string) error {
	parts := strings.Split(text, "=")
	if len(parts) != 2 {
		return errors.New("it is OLD=NEW")
	}
	epcs := make([][]byte, 2)
	for i, part := range parts {
		epc, err := hex.DecodeString(part)
		if err != nil {
			return err
		}
		epcs[i] = epc
	}
	c.from, c.to = epcs[0], epcs[1]
	return nil
}
