import type { Clock } from '@plantroom/base/clock'
import { checkOffset, type Finding, ok, problem, reasonOf, warning } from '@plantroom/base/diagnosis'
import { newId } from '@plantroom/base/ids'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { cloudFilters, statusFilter } from '@plantroom/contract/topics'
import { connectAsync } from 'mqtt'
import { instanceIn } from './own-service.ts'

const STEP_MS = 8_000
const LOGIN_REFUSED = /not authorized|bad user ?name or password|Connection refused: (?:4|5)/i

/** Whether the broker of `MQTT_URL` lets the cloud in and lets it subscribe. Publishes nothing. */
export async function checkBroker(url: string): Promise<Finding> {
  const clientId = newId('doctor')
  const client = await connectAsync({
    ...brokerAddress(url),
    clientId,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: STEP_MS,
  }).catch((error: unknown) => error as Error)
  if (client instanceof Error) return problem(`the broker cannot be used: ${reasonOf(client)}`, brokerRemedy(client))
  try {
    await client.subscribeAsync([...cloudFilters(clientId), statusFilter], { qos: 0 })
    return ok('the broker accepts the login and the subscriptions')
  } catch (error) {
    return problem(
      `the broker refuses our subscriptions (${reasonOf(error)})`,
      'let the user of MQTT_URL read and write plantroom/#',
    )
  } finally {
    // Forced: a graceful end would wait for a broker that hangs.
    await client.endAsync(true)
  }
}

function brokerRemedy(error: Error): string {
  const reason = reasonOf(error)
  if (LOGIN_REFUSED.test(reason)) return 'check the name and the password in MQTT_URL, and the accounts of the broker'
  if (/certificate|self.signed|altname/i.test(reason)) {
    return 'set NODE_EXTRA_CA_CERTS to the certificate of your authority, and use the host name that the certificate has'
  }
  return 'check that the broker runs, and the host, the port and mqtt: or mqtts: in MQTT_URL'
}

/** Whether callers reach this service at its public address, and whose clock is right. Redirects are not followed. */
export async function checkPublicUrl(
  publicUrl: string,
  instance: string | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ reach: Finding; clock?: Finding }> {
  const remedy = 'check PLANTROOM_PUBLIC_URL, its DNS entry, the proxy in front and its certificate'
  try {
    const before = clock.now()
    const reply = await fetch(`${publicUrl}/healthz`, { redirect: 'manual', signal })
    const between = (before + clock.now()) / 2
    const body: unknown = await reply.json().catch(() => undefined)
    const date = Date.parse(reply.headers.get('date') ?? '')
    // The header has whole seconds.
    const clockFinding = Number.isNaN(date) ? {} : { clock: checkOffset(between - date - 500, 'the public address') }
    const found = reply.status === 200 ? instanceIn(body) : undefined
    const stranger = found === undefined ? `with ${reply.status}, and not as Plantroom` : 'as another Plantroom'
    const reach =
      found !== undefined && (instance === undefined || found === instance)
        ? ok(`${publicUrl} answers`)
        : problem(`${publicUrl} answers ${stranger}`, remedy)
    return { reach, ...clockFinding }
  } catch (error) {
    // A firewall may keep the machine itself from its own public address.
    return { reach: warning(`${publicUrl} does not answer from this machine (${reasonOf(error)})`, remedy) }
  }
}
