module github.com/posthorn/posthorn-go

go 1.23
