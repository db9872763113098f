Code.require_file("posthorn_webhooks.ex", __DIR__)

defmodule Receiver do
  # Stands for INSERT INTO inbox … ON CONFLICT DO NOTHING in your database; a worker reads the table.
  def keep_once(webhook) do
    if :ets.insert_new(:seen, {webhook.id}) do
      IO.puts("received #{webhook.id} #{webhook.content_type} #{byte_size(webhook.payload)} bytes")
    end
  end

  # A module of Erlang's own server. In Plug: `conn.req_headers`, and the body of `Plug.Conn.read_body`.
  def unquote(:do)(request) do
    {method, headers, body} = {elem(request, 6), elem(request, 11), :erlang.list_to_binary(elem(request, 12))}

    status =
      case PosthornWebhooks.verify(body, headers, System.fetch_env!("WEBHOOK_SECRET")) do
        _ when method != 'POST' ->
          405

        {:ok, webhook} ->
          keep_once(webhook)
          204

        {:error, _reason, _message} ->
          400
      end

    {:proceed, [response: {:response, [code: status, content_length: '0'], ''}]}
  end
end

:ets.new(:seen, [:named_table, :public])
:ok = :inets.start()
folder = String.to_charlist(System.tmp_dir!())

{:ok, _} =
  :inets.start(:httpd,
    port: String.to_integer(System.fetch_env!("PORT")),
    bind_address: {127, 0, 0, 1},
    server_name: 'receiver',
    server_root: folder,
    document_root: folder,
    max_body_size: PosthornWebhooks.most_bytes(),
    modules: [Receiver]
  )

Process.sleep(:infinity)
