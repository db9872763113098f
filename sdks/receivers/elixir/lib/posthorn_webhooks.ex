defmodule PosthornWebhooks do
  @moduledoc """
  Verifies the webhooks of Posthorn, with only Erlang's standard library. Copy this file into your program.
  """
  import Bitwise

  defmodule Webhook do
    @moduledoc """
    A genuine webhook: its signature was verified. `id` is the event's id, the same in every attempt. If you have seen
    an id before, the webhook is a repetition. `timestamp` is the time of this attempt in unix seconds, and `payload`
    has the signed bytes. The signature does not cover `type` (nil for an event that was sent to this endpoint alone),
    `delivery_id`, `content_type` and `attempt` (from 1).
    """
    @enforce_keys [:id, :timestamp, :payload]
    defstruct [:id, :timestamp, :payload, :type, :delivery_id, :content_type, attempt: 1]
  end

  # How many signatures of a header are read: anybody can send a request with very many.
  @most_signatures 100
  # The largest body that a receiver needs to read: an event of 1 MiB in an envelope, with base64.
  @most_bytes 3 * 524_288

  @doc "The largest body that a receiver needs to read."
  def most_bytes, do: @most_bytes

  @doc """
  Returns `{:ok, webhook}` if a signature matches one of the secrets (`whsec_…`) or public keys (`whpk_…`), and the
  timestamp is within the tolerance. Otherwise it returns `{:error, reason, message}`. The reasons are
  `:missing_header`, `:invalid_timestamp`, `:too_old`, `:too_new` and `:no_matching_signature`. With `:invalid_secret`,
  the secret of the receiver cannot be used. No message shows a secret.

  `body` is the body as it arrived. `headers` are pairs as in `conn.req_headers`. Names are case-insensitive; of a
  repeated header, the first value counts. Options: `:tolerance_seconds` (300), and `:now` in unix seconds, for tests.
  """
  def verify(body, headers, secrets, options \\ []) do
    now = Keyword.get_lazy(options, :now, fn -> System.system_time(:second) end)
    tolerance = Keyword.get(options, :tolerance_seconds, 300)
    headers = Enum.map(headers, fn {name, value} -> {String.downcase(to_string(name)), to_string(value)} end)

    with {:ok, id} <- required(headers, "webhook-id"),
         {:ok, time} <- required(headers, "webhook-timestamp"),
         {:ok, signatures} <- required(headers, "webhook-signature"),
         {:ok, seconds} <- read_timestamp(time),
         :ok <- check_age(now - seconds, tolerance),
         {:ok, keys} <- read_keys(List.wrap(secrets)),
         :ok <- check_signatures(keys, [id, ".", time, ".", body], signatures) do
      {:ok,
       %Webhook{
         id: id,
         timestamp: seconds,
         payload: body,
         type: find(headers, "webhook-event-type"),
         delivery_id: find(headers, "webhook-delivery-id"),
         content_type: find(headers, "content-type"),
         attempt: read_attempt(find(headers, "webhook-attempt"))
       }}
    end
  end

  @doc "Returns the headers that Posthorn would send with the body, for tests of a receiver. `timestamp` is in unix seconds."
  def sign(body, secret, id, timestamp) do
    case read_key(secret) do
      {:ok, {"v1", key}} ->
        digest = hmac(key, [id, ".", to_string(timestamp), ".", body])

        {:ok,
         [
           {"webhook-id", id},
           {"webhook-timestamp", to_string(timestamp)},
           {"webhook-signature", "v1," <> Base.encode64(digest)}
         ]}

      {:ok, _public} ->
        {:error, :invalid_secret, "a public key cannot sign"}

      error ->
        error
    end
  end

  defp find(headers, name) do
    with {^name, value} <- List.keyfind(headers, name, 0), do: value
  end

  defp required(headers, name) do
    case find(headers, name) do
      value when value in [nil, ""] -> {:error, :missing_header, "#{name} is missing"}
      value -> {:ok, value}
    end
  end

  defp read_timestamp(time) do
    if time =~ ~r/\A[0-9]{1,12}\z/,
      do: {:ok, String.to_integer(time)},
      else: {:error, :invalid_timestamp, "webhook-timestamp is not a number of seconds"}
  end

  defp read_attempt(text) do
    if text != nil and text =~ ~r/\A[0-9]{1,9}\z/, do: String.to_integer(text), else: 1
  end

  defp check_age(age, tolerance) when age > tolerance, do: {:error, :too_old, "webhook-timestamp is too old"}
  defp check_age(age, tolerance) when -age > tolerance, do: {:error, :too_new, "webhook-timestamp is in the future"}
  defp check_age(_age, _tolerance), do: :ok

  defp read_keys([]), do: {:error, :invalid_secret, "no secret is given"}

  defp read_keys(secrets) do
    Enum.reduce_while(secrets, {:ok, []}, fn secret, {:ok, keys} ->
      case read_key(secret) do
        {:ok, key} -> {:cont, {:ok, keys ++ [key]}}
        error -> {:halt, error}
      end
    end)
  end

  # A secret from a file or the clipboard often ends with a line break.
  defp read_key(given) do
    {version, text} =
      case String.trim(given) do
        "whpk_" <> text -> {"v1a", text}
        "whsec_" <> text -> {"v1", text}
        text -> {"v1", text}
      end

    case from_base64(text) do
      {:ok, key} when byte_size(key) > 0 and (version == "v1" or byte_size(key) == 32) -> {:ok, {version, key}}
      _ -> {:error, :invalid_secret, "a secret is not whsec_ or whpk_ and base64"}
    end
  end

  # Decodes base64 with or without its padding.
  defp from_base64(text), do: Base.decode64(text, padding: false)

  defp check_signatures(keys, content, signatures) do
    signed? =
      signatures
      |> String.split(" ")
      |> Enum.take(@most_signatures)
      |> Enum.any?(fn entry ->
        with [version, text] <- String.split(entry, ",", parts: 2),
             {:ok, signature} <- from_base64(text) do
          Enum.any?(keys, fn {kind, key} -> kind == version and matches?(kind, key, content, signature) end)
        else
          _ -> false
        end
      end)

    if signed?,
      do: :ok,
      else: {:error, :no_matching_signature, "no signature matches: the body was changed, or the secret is another"}
  end

  defp matches?("v1", key, content, signature), do: equal?(hmac(key, content), signature)

  defp matches?("v1a", key, content, signature) when byte_size(signature) == 64 do
    :crypto.verify(:eddsa, :none, IO.iodata_to_binary(content), signature, [key, :ed25519])
  end

  defp matches?(_version, _key, _content, _signature), do: false

  defp hmac(key, content), do: :crypto.mac(:hmac, :sha256, key, content)

  # Compares in constant time. `:crypto.hash_equals` would need OTP 25.
  defp equal?(one, other) when byte_size(one) == byte_size(other) do
    Enum.zip_reduce(:binary.bin_to_list(one), :binary.bin_to_list(other), 0, fn a, b, found -> found ||| bxor(a, b) end) == 0
  end

  defp equal?(_one, _other), do: false
end
