// The fake server of Google's own library for Pub/Sub, with what Google's front end adds: TLS, and the check of the token
// that a service account has signed. It prints two ports: without TLS and with it.
package main

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"time"

	pb "cloud.google.com/go/pubsub/v2/apiv1/pubsubpb"
	"cloud.google.com/go/pubsub/v2/pstest"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func main() {
	cert := flag.String("cert", "", "the certificate, in PEM")
	key := flag.String("key", "", "its key, in PEM")
	public := flag.String("public", "", "the public key of the service account, in PEM")
	audience := flag.String("audience", "", "what the tokens must be for")
	flag.Parse()

	block, _ := pem.Decode(must(os.ReadFile(*public)))
	account := must(x509.ParsePKIXPublicKey(block.Bytes)).(*rsa.PublicKey)
	guarded := grpc.UnaryInterceptor(guard(account, *audience))
	fake := pstest.NewServer()
	serve := func(options ...grpc.ServerOption) int {
		server := grpc.NewServer(options...)
		pb.RegisterPublisherServer(server, &fake.GServer)
		pb.RegisterSubscriberServer(server, &fake.GServer)
		listener := must(net.Listen("tcp", "127.0.0.1:0"))
		go func() { log.Fatal(server.Serve(listener)) }()
		return listener.Addr().(*net.TCPAddr).Port
	}
	secure := serve(guarded, grpc.Creds(must(credentials.NewServerTLSFromFile(*cert, *key))))
	fmt.Println(serve(guarded), secure)
	select {}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// guard refuses requests as Google does: without a valid token, without the permission (topics named "denied…"),
// and over the quota (topics named "busy…"). It lets nobody look at topics named "hidden…". Other methods need no token.
func guard(account *rsa.PublicKey, audience string) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		method := info.FullMethod[strings.LastIndex(info.FullMethod, "/")+1:]
		if method != "Publish" && method != "GetTopic" {
			return handle(ctx, req)
		}
		given, _ := metadata.FromIncomingContext(ctx)
		token := strings.TrimPrefix(strings.Join(given.Get("authorization"), ""), "Bearer ")
		if err := check(token, account, audience); err != nil {
			return nil, status.Errorf(codes.Unauthenticated, "%v in %s", err, token)
		}
		name := topicOf(req)
		switch {
		case strings.HasPrefix(name, "denied"), strings.HasPrefix(name, "hidden") && method == "GetTopic":
			return nil, status.Error(codes.PermissionDenied, "User not authorized to perform this action.")
		case strings.HasPrefix(name, "busy"):
			return nil, status.Error(codes.ResourceExhausted, "Quota exceeded.")
		}
		return handle(ctx, req)
	}
}

func topicOf(req any) string {
	named, ok := req.(interface{ GetTopic() string })
	if !ok {
		return ""
	}
	return named.GetTopic()[strings.LastIndex(named.GetTopic(), "/")+1:]
}

// check verifies a JWT with RS256, its time and what it is for.
func check(token string, account *rsa.PublicKey, audience string) error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return fmt.Errorf("no token")
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err := rsa.VerifyPKCS1v15(account, crypto.SHA256, digest[:], signature); err != nil {
		return err
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return err
	}
	var claims struct {
		Iss, Sub, Aud string
		Iat, Exp      int64
	}
	if err := json.Unmarshal(text, &claims); err != nil {
		return err
	}
	now := time.Now().Unix()
	if claims.Iss == "" || claims.Iss != claims.Sub || claims.Aud != audience || claims.Exp < now || claims.Iat > now+60 || claims.Exp-claims.Iat > 3600 {
		return fmt.Errorf("wrong claims")
	}
	return nil
}
