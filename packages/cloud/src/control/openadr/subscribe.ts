import { isPlainToAnotherMachine } from '@plantroom/contract/broker-url'
import type { Vtn } from '@plantroom/openadr/vtn'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import type { FoundBroker, FoundSubscription, FoundVtn, StoredProgram } from './program-store.ts'

type Announced = Required<Pick<FoundVtn, 'subscriptions' | 'broker' | 'webhookProblem'>>

/**
 * Asks a VTN to announce changes of events, by the ways that it has. Safe to repeat, also when an answer was lost. What it
 * refuses is no failure: it is polled in any case.
 *
 * `callback` is where it reaches us; `undefined` when we don't know.
 */
export async function announcements(
  { settings, found }: Pick<StoredProgram, 'settings' | 'found'>,
  { programs = [], venId }: Pick<FoundVtn, 'programs' | 'venId'>,
  { vtn, callback }: { vtn: Vtn; callback: string | undefined },
): Promise<Announced> {
  const ids = programs.map(({ id }) => id)
  const before = found.subscriptions ?? []
  const offered = await tried(vtn.notifiers())
  if ('problem' in offered)
    return { subscriptions: before, broker: found.broker ?? null, webhookProblem: offered.problem }
  const { hasWebhook, mqtt } = offered.value
  const named = mqtt && (await tried(brokerOf(mqtt, ids, venId ?? null, { vtn, clientId: settings.clientId })))
  const broker = named && 'value' in named ? named.value : null
  if (!hasWebhook) return { subscriptions: [], broker, webhookProblem: null }
  if (callback === undefined || !mayCall(callback, settings.vtnUrl))
    return { subscriptions: before, broker, webhookProblem: NO_ADDRESS }
  const subscribed = await tried(subscribeTo(ids, { clientName: settings.venName, callbackUrl: callback, before }, vtn))
  return 'value' in subscribed
    ? { subscriptions: subscribed.value, broker, webhookProblem: null }
    : { subscriptions: before, broker, webhookProblem: subscribed.problem }
}

async function tried<Value>(asked: Promise<Value>): Promise<{ value: Value } | { problem: string }> {
  try {
    return { value: await asked }
  } catch (error) {
    if (error instanceof VtnFailure) return { problem: error.message }
    throw error
  }
}

const NO_ADDRESS = 'this service has no address with https that others reach: its operator sets PLANTROOM_PUBLIC_URL'

/** The address is a secret, so it is not sent without encryption, except on this machine. */
function mayCall(callback: string, vtnUrl: string): boolean {
  const isHere = (url: string) => !isPlainToAnotherMachine(url.replace(/^https:/, 'http:'))
  return callback.startsWith('https:') || (isHere(callback) && isHere(vtnUrl))
}

/** Returns one subscription for each program: those that are there by now, and new ones for the others. */
async function subscribeTo(
  programIds: readonly string[],
  about: { clientName: string; callbackUrl: string; before: readonly FoundSubscription[] },
  vtn: Vtn,
): Promise<FoundSubscription[]> {
  const { clientName, callbackUrl, before } = about
  const { items } = await vtn.subscriptions(clientName)
  const there = new Map(items.map((one) => [one.id, one]))
  const kept: FoundSubscription[] = []
  for (const programId of programIds) {
    const known = before.find(
      (one) => one.programId === programId && one.callbackUrl === callbackUrl && there.has(one.id),
    )
    // After a lost answer, the VTN has one that we don't know.
    const id =
      known?.id ??
      items.find((one) => one.programId === programId && one.callbackUrls.includes(callbackUrl))?.id ??
      (await vtn.subscribe({ clientName, programId, callbackUrl, bearerToken: secretIn(callbackUrl) }))
    kept.push({ id, programId, callbackUrl })
  }
  // Also those that a VTN does not list: otherwise it would collect one more at each registration.
  const ids = new Set(kept.map(({ id }) => id))
  for (const { id } of before) if (!ids.has(id)) await vtn.unsubscribe(id)
  return kept
}

/** Some VTNs want a token to send with each announcement. The address is the secret, so this is the same. */
const secretIn = (callbackUrl: string) => callbackUrl.slice(callbackUrl.lastIndexOf('/') + 1)

/** The broker with the topics of these programs; `null` when it is one that we don't use. */
async function brokerOf(
  { urls, method, username }: NonNullable<Awaited<ReturnType<Vtn['notifiers']>>['mqtt']>,
  programIds: readonly string[],
  venId: string | null,
  { vtn, clientId }: { vtn: Vtn; clientId: string },
): Promise<FoundBroker | null> {
  const url = urls.find((one) => /^mqtts?:\/\//i.test(one) && URL.canParse(one))
  if (url === undefined || method === 'CERTIFICATE') return null
  const topics = new Set<string>()
  for (const id of programIds) for (const topic of await vtn.eventTopics(id, venId)) topics.add(topic)
  if (topics.size === 0) return null
  const user = method === 'ANONYMOUS' ? null : (username ?? '{clientID}').replaceAll('{clientID}', clientId)
  return { url, username: user, topics: [...topics] }
}
