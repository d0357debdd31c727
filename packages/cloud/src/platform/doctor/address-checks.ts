import { type Finding, ok, problem, reasonOf } from '@plantroom/base/diagnosis'
import type { TraceSettings } from '@plantroom/base/trace'

/** Whether the provider of sign-ins answers, and is the one of the settings. */
export async function checkProvider(issuer: string, signal: AbortSignal): Promise<Finding> {
  const remedy =
    'check PLANTROOM_OIDC_ISSUER, its DNS entry and its certificate; for an authority of your own set NODE_EXTRA_CA_CERTS'
  const url = `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`
  try {
    const reply = await fetch(url, { redirect: 'error', signal })
    if (!reply.ok) return problem(`the provider answers ${reply.status} at ${url}`, remedy)
    const { issuer: named } = ((await reply.json().catch(() => undefined)) ?? {}) as { issuer?: unknown }
    if (typeof named !== 'string') return problem(`${url} is not the description of a provider`, remedy)
    return withoutSlash(named) === withoutSlash(issuer)
      ? ok('the provider answers')
      : problem(`the provider calls itself ${named.slice(0, 200)}`, 'set PLANTROOM_OIDC_ISSUER to this address')
  } catch (error) {
    return problem(`the provider cannot be reached (${reasonOf(error)})`, remedy)
  }
}

const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '')

/** Whether the receiver of traces accepts spans. Sends none. */
export async function checkTraces({ endpoint, headers }: TraceSettings, signal: AbortSignal): Promise<Finding> {
  const remedy =
    'check OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP, usually port 4318) and OTEL_EXPORTER_OTLP_HEADERS; without traces everything else works'
  try {
    const reply = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      redirect: 'error',
      signal,
    })
    await reply.body?.cancel()
    return reply.ok
      ? ok('the receiver of traces answers')
      : problem(`the receiver of traces answers ${reply.status}`, remedy)
  } catch (error) {
    // Not the message: it repeats the address, which may contain a password.
    const { cause } = error as { cause?: { code?: string } }
    return problem(`the receiver of traces cannot be reached (${cause?.code ?? 'invalid address'})`, remedy)
  }
}
