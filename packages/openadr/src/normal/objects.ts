import { anyObject, array, boolean, integer, object, oneOf, optional, text } from '@plantroom/contract/schema'
import { type PayloadDescriptor, PayloadDescriptors, readPayloadDescriptors } from './events.ts'
import { checked, maybe, name, objectId, type Read, readOwnTargets, readSafely, type Target, unknown } from './parts.ts'

/** Objects of a VTN beside events, in the form that all versions become. Readers keep what we use and ignore the rest. */

export interface VtnProgram {
  readonly id: string
  readonly name: string
  readonly payloadDescriptors: readonly PayloadDescriptor[]
}
const ProgramFields = object({ id: objectId, programName: name, payloadDescriptors: PayloadDescriptors })
export function readProgram(given: unknown): Read<VtnProgram> {
  return readSafely(() => {
    const { id, programName, payloadDescriptors } = checked(ProgramFields, given)
    return { id, name: programName, payloadDescriptors: readPayloadDescriptors(payloadDescriptors) }
  })
}

/** A VEN as the VTN knows it. 3.0 may list its resources in it. */
export interface VtnVen {
  readonly id: string
  readonly name: string
  readonly targets: readonly Target[]
  readonly resources: readonly VtnResource[]
}
const ResourceFields = object({ id: objectId, resourceName: name, venID: maybe(objectId), targets: optional(unknown) })
const VenFields = object({
  id: objectId,
  venName: name,
  targets: optional(unknown),
  resources: maybe(array(ResourceFields)),
})
export function readVen(given: unknown): Read<VtnVen> {
  return readSafely(() => {
    const { id, venName, targets, resources } = checked(VenFields, given)
    return { id, name: venName, targets: readOwnTargets(targets), resources: (resources ?? []).map(resourceOf) }
  })
}

export interface VtnResource {
  readonly id: string
  readonly name: string
  readonly venId: string | null
  readonly targets: readonly Target[]
}
export function readResource(given: unknown): Read<VtnResource> {
  return readSafely(() => resourceOf(checked(ResourceFields, given)))
}
const resourceOf = (fields: {
  id: string
  resourceName: string
  venID?: string | null
  targets?: unknown
}): VtnResource => ({
  id: fields.id,
  name: fields.resourceName,
  venId: fields.venID ?? null,
  targets: readOwnTargets(fields.targets),
})

export interface VtnSubscription {
  readonly id: string
  readonly clientName: string
  readonly programId: string | null
  readonly callbackUrls: readonly string[]
}
const SubscriptionFields = object({
  id: objectId,
  clientName: name,
  programID: maybe(objectId),
  objectOperations: maybe(array(object({ callbackUrl: maybe(text()) }))),
})
export function readSubscription(given: unknown): Read<VtnSubscription> {
  return readSafely(() => {
    const { id, clientName, programID, objectOperations } = checked(SubscriptionFields, given)
    const callbackUrls = (objectOperations ?? []).flatMap(({ callbackUrl }) => callbackUrl ?? [])
    return { id, clientName, programId: programID ?? null, callbackUrls }
  })
}

/** A report that the VTN has, as far as it is compared with one of ours. */
export interface VtnReport {
  readonly id: string
  readonly eventId: string
  readonly clientName: string
  readonly reportName: string | null
  readonly resources: readonly unknown[]
}
const ReportFields = object({
  id: objectId,
  eventID: objectId,
  clientName: name,
  reportName: maybe(text()),
  resources: maybe(array({})),
})
export function readReport(given: unknown): Read<VtnReport> {
  return readSafely(() => {
    const { id, eventID, clientName, reportName, resources } = checked(ReportFields, given)
    return { id, eventId: eventID, clientName, reportName: reportName ?? null, resources: resources ?? [] }
  })
}

/** What a VTN pushes. It only says that something changed: nothing else of it is believed. */
export interface Notification {
  readonly objectType: string
  readonly objectId: string | null
  readonly programId: string | null
}
const NotificationFields = object({ objectType: text({ maxLength: 64 }), object: maybe(anyObject()) })
export function readNotification(given: unknown): Read<Notification> {
  return readSafely(() => {
    const { objectType, object } = checked(NotificationFields, given)
    const idIn = (field: string) => {
      const id = object && Object.hasOwn(object, field) ? object[field] : undefined
      return typeof id === 'string' && id.length <= 128 ? id : null
    }
    return { objectType, objectId: idIn('id'), programId: idIn('programID') }
  })
}

/** The topics of a kind of object at the broker of a VTN. */
const TopicsFields = object({
  topics: object({ CREATE: maybe(text()), UPDATE: maybe(text()), DELETE: maybe(text()), ALL: maybe(text()) }),
})
const MAX_TOPIC = 1024
/** Reads the topics to subscribe to, as the VTN names them: the one for all operations, or each one. */
export function readTopics(given: unknown): Read<readonly string[]> {
  return readSafely(() => {
    const { CREATE, UPDATE, DELETE, ALL } = checked(TopicsFields, given).topics
    const topics = ALL ? [ALL] : [CREATE, UPDATE, DELETE].flatMap((topic) => topic ?? [])
    return topics.filter((topic) => topic !== '' && topic.length <= MAX_TOPIC)
  })
}

/** How a VTN notifies. */
export interface Notifiers {
  readonly hasWebhook: boolean
  readonly mqtt: {
    readonly urls: readonly string[]
    readonly method: 'ANONYMOUS' | 'OAUTH2_BEARER_TOKEN' | 'CERTIFICATE'
    /** Of `OAUTH2_BEARER_TOKEN`; `{clientID}` stands for the id of the client. */
    readonly username: string | null
  } | null
}
const NotifiersFields = object({
  WEBHOOK: maybe(boolean()),
  MQTT: maybe(
    object({
      URIS: array(text({ maxLength: 8000 }), { maxItems: 20 }),
      authentication: object({
        method: oneOf(['ANONYMOUS', 'OAUTH2_BEARER_TOKEN', 'CERTIFICATE']),
        username: maybe(text()),
      }),
    }),
  ),
})
export function readNotifiers(given: unknown): Read<Notifiers> {
  return readSafely(() => {
    const { WEBHOOK, MQTT } = checked(NotifiersFields, given)
    return {
      hasWebhook: WEBHOOK ?? false,
      mqtt: MQTT
        ? { urls: MQTT.URIS, method: MQTT.authentication.method, username: MQTT.authentication.username ?? null }
        : null,
    }
  })
}

/** What a VTN says about an error: `problem+json`, or an error of OAuth. */
export interface VtnProblem {
  readonly title: string | null
  readonly detail: string | null
  readonly status: number | null
}
const ProblemFields = object({
  title: maybe(text()),
  detail: maybe(text()),
  status: maybe(integer()),
  error: maybe(text()),
  error_description: maybe(text()),
})
export function readProblem(given: unknown): VtnProblem | undefined {
  const problem = readSafely(() => checked(ProblemFields, given))
  if ('problem' in problem) return undefined
  const { title, error, detail, error_description, status } = problem.value
  return { title: title ?? error ?? null, detail: detail ?? error_description ?? null, status: status ?? null }
}
