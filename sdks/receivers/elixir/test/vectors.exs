# Tests every case of sdks/conformance/signature.json: `node test/vectors.mjs | elixir test/vectors.exs`. Elixir 1.14
# cannot read JSON, so each line of the input is a case as an Elixir term in base64.
Code.require_file("../lib/posthorn_webhooks.ex", __DIR__)

outcome = fn
  {:verify, _name, body, headers, secrets, now, tolerance, _expected} ->
    case PosthornWebhooks.verify(body, headers, secrets, now: now, tolerance_seconds: tolerance) do
      {:ok, webhook} ->
        ^body = webhook.payload
        "#{webhook.id} #{webhook.timestamp}"

      {:error, reason, message} ->
        shows = Enum.any?(secrets, &(byte_size(&1) > 8 and String.contains?(message, &1)))
        if shows, do: "a secret in a message", else: to_string(reason)
    end

  {:sign, _name, body, secret, id, timestamp, _expected} ->
    {:ok, headers} = PosthornWebhooks.sign(body, secret, id, timestamp)
    headers |> Enum.map(fn {name, value} -> "#{name}: #{value}" end) |> Enum.join("\n")
end

{passed, failed} =
  IO.stream(:stdio, :line)
  |> Enum.map(fn line ->
    {one, _} = line |> String.trim() |> Base.decode64!() |> Code.eval_string()
    {found, expected} = {outcome.(one), elem(one, tuple_size(one) - 1)}
    if found != expected, do: IO.puts(:stderr, "#{elem(one, 1)}: #{found}, not #{expected}")
    found == expected
  end)
  |> Enum.split_with(& &1)

IO.puts("#{length(passed)} passed, #{length(failed)} failed")
if failed != [] or passed == [], do: System.halt(1)
