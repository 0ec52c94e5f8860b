// Package mcpserver offers an interaction's tools to clients of the Model Context
// Protocol.
package mcpserver

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"agentd/tools"
)

// Call performs a tool call with arguments as JSON. An error ends the interaction;
// what the client did wrong is a failed outcome. It may be called concurrently.
type Call func(ctx context.Context, tool, arguments string) (tools.Outcome, error)

// New returns a server of the tools. instructions are what clients are told when
// they connect.
func New(version, instructions string, set []tools.Tool, call Call) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "agentd", Version: version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{}, // tools alone, no logging
	})
	for _, tool := range set {
		server.AddTool(&mcp.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.Parameters},
			func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				outcome, err := call(ctx, r.Params.Name, string(r.Params.Arguments))
				if err != nil {
					return nil, err
				}
				return &mcp.CallToolResult{
					Content: []mcp.Content{&mcp.TextContent{Text: outcome.Text}}, IsError: outcome.Failed,
				}, nil
			})
	}
	return server
}

// Handler serves the server over HTTP. It keeps no state between requests.
func Handler(server *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}
