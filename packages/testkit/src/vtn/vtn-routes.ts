import type { IncomingHttpHeaders } from 'node:http'
import type { VtnFaults } from './vtn-faults.ts'
import type { Table, VtnObject } from './vtn-objects.ts'
import type { VtnDoubleOptions } from './vtn-options.ts'
import { checkReport, checkResource, checkSubscription, checkVen, RefusedBody } from './vtn-schemas.ts'

export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly contentType: string
}

export interface VtnState {
  readonly options: VtnDoubleOptions & {
    readonly patch: 0 | 1
    readonly clientId: string
    readonly clientSecret: string
  }
  /** What the operator of the VTN writes; a test does so directly. */
  readonly programs: Table
  readonly events: Table
  readonly reports: Table
  readonly vens: Table
  readonly resources: Table
  readonly subscriptions: Table
  readonly faults: VtnFaults
  /** How many requests each token has been used for. */
  readonly tokens: Map<string, number>
  readonly newToken: () => string
}

const refusal = (status: number, detail: string, headers = {}) =>
  new Answer(status, { type: 'about:blank', title: `Error ${status}`, status, detail }, headers)

/** Answers as the description of the version says. */
export function route(asked: Asked, state: VtnState): Answer {
  const { path } = asked
  if (path === 'auth/server') return authServer(state)
  if (path === 'auth/token') return token(asked, state)
  if (!isAuthorized(asked, state)) return refusal(401, 'The token is missing, unknown or expired')
  if (asked.method !== 'GET' && isOfOperator(path)) return refusal(403, 'Only the operator of the VTN writes this')
  if (asked.method === 'POST' && !asked.contentType.startsWith('application/json'))
    return refusal(415, 'The body must be JSON')
  try {
    return objects(asked, state) ?? refusal(404, `There is no ${asked.method} ${path}`)
  } catch (error) {
    if (error instanceof RefusedBody || error instanceof SyntaxError) return refusal(400, error.message)
    throw error
  }
}

const isOfOperator = (path: string) => /^(programs|events)(\/|$)/.test(path)

function authServer({ options, faults }: VtnState): Answer {
  if (options.version === '3.0' || faults.tokenUrl === undefined) return refusal(404, 'There is no auth/server')
  return new Answer(200, { tokenURL: faults.tokenUrl })
}

function token({ method, body, contentType, headers }: Asked, { options, faults, tokens, newToken }: VtnState): Answer {
  if (faults.hasNoTokenEndpoint) return refusal(501, 'This VTN gives no tokens')
  if (method !== 'POST') return refusal(405, 'Only POST')
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return new Answer(400, { error: 'invalid_request' })
  const form = new URLSearchParams(body)
  if (form.get('grant_type') !== 'client_credentials') return new Answer(400, { error: 'unsupported_grant_type' })
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
  const [id, secret] = basic
    ? atob(basic).split(':').map(decodeURIComponent)
    : [form.get('client_id'), form.get('client_secret')]
  if (id !== options.clientId || secret !== options.clientSecret) return new Answer(401, { error: 'invalid_client' })
  if (options.scope !== undefined && form.get('scope') !== options.scope)
    return new Answer(400, { error: 'invalid_scope' })
  if (options.audience !== undefined && form.get('audience') !== options.audience)
    return new Answer(400, { error: 'invalid_request', error_description: 'audience is missing or unknown' })
  const made = newToken()
  tokens.set(made, 0)
  return new Answer(200, { access_token: made, token_type: 'Bearer', expires_in: 3600 })
}

function isAuthorized({ headers }: Asked, { tokens, faults }: VtnState): boolean {
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const used = tokens.get(given)
  if (used === undefined) return false
  tokens.set(given, used + 1)
  return used < faults.requestsPerToken
}

function objects(asked: Asked, state: VtnState): Answer | undefined {
  const { method, path, query } = asked
  const { options, programs, events, reports, vens, subscriptions } = state
  const { version } = options
  const [kind = '', id, below, last] = path.split('/').map(decodeURIComponent)
  if (state.faults.lacks.includes(kind)) return refusal(501, `This VTN has no ${kind}`)
  const is = (wanted: string, ...methods: string[]) => kind === wanted && methods.includes(method)
  if (is('notifiers', 'GET')) return notifiers(path, state)
  if (is('programs', 'GET')) return id ? one(programs, id) : page(programs.list(), query)
  if (is('events', 'GET')) {
    if (id) return one(events, id)
    if (state.faults.lostPrograms.includes(query.get('programID') ?? ''))
      return refusal(404, 'There is no such program')
    return page(matching(events.list(), query, ['programID']), query)
  }
  if (is('reports', 'GET') && state.faults.hidesReports) return refusal(403, 'A VEN reads no reports')
  if (is('reports', 'GET')) return page(matching(reports.list(), query, ['programID', 'eventID', 'clientName']), query)
  if (is('reports', 'POST')) {
    const report = checkReport(JSON.parse(asked.body), version)
    if (!events.get(String(report.eventID))) return refusal(409, 'There is no such event')
    const isStored = reports.list().some(({ reportName }) => reportName === report.reportName)
    if (state.faults.hidesReports && isStored) return refusal(409, 'The report exists')
    return new Answer(201, reports.add({ ...report, ...(version === '3.1' && { clientID: options.clientId }) }))
  }
  if (is('subscriptions', 'GET')) return page(matching(subscriptions.list(), query, ['programID', 'clientName']), query)
  if (is('subscriptions', 'POST')) {
    const subscription = checkSubscription(JSON.parse(asked.body), version)
    return new Answer(201, subscriptions.add({ ...subscription, clientID: options.clientId }))
  }
  if (is('subscriptions', 'DELETE') && id) return removed(subscriptions, id)
  if (kind === 'vens' && below === 'resources' && version === '3.0' && id)
    return ofResources(asked, state, { venID: id }, last)
  if (is('vens', 'GET'))
    return page(
      matching(vens.list(), query, ['venName']).map((ven) => shownVen(ven, state)),
      query,
    )
  if (is('vens', 'POST')) {
    const ven = checkVen(JSON.parse(asked.body), version)
    if (vens.list().some(({ venName }) => venName === ven.venName)) return refusal(409, 'The name is taken')
    return new Answer(201, shownVen(vens.add({ ...ven, objectType: 'VEN', clientID: options.clientId }), state))
  }
  if (kind === 'resources' && version === '3.1') return ofResources(asked, state, {}, id)
  return undefined
}

const shownVen = (ven: VtnObject, { options, faults }: VtnState) =>
  options.version === '3.1' ? { ...ven, objectType: faults.venObjectType } : ven

function ofResources(
  { method, body, query }: Asked,
  { options, resources, vens }: VtnState,
  known: { venID?: string },
  id: string | undefined,
) {
  if (method === 'DELETE' && id) return removed(resources, id)
  if (method === 'GET') {
    const list = resources.list().filter(({ venID }) => known.venID === undefined || venID === known.venID)
    return page(matching(list, query, ['resourceName', 'venID']), query)
  }
  if (method !== 'POST') return undefined
  const resource = checkResource(JSON.parse(body), options.version, options.patch)
  const venID = known.venID ?? resource.venID ?? vens.list()[0]?.id
  if (typeof venID !== 'string' || !vens.get(venID)) return refusal(404, 'There is no such VEN')
  const isTaken = resources.list().some((one) => one.venID === venID && one.resourceName === resource.resourceName)
  if (isTaken) return refusal(409, 'The name is taken')
  return new Answer(201, resources.add({ ...resource, venID, objectType: 'RESOURCE', clientID: options.clientId }))
}

function one(table: Table, id: string): Answer {
  const found = table.get(id)
  return found ? new Answer(200, found) : refusal(404, 'There is no such object')
}

function removed(table: Table, id: string): Answer {
  const answer = one(table, id)
  table.remove(id)
  return answer
}

function matching(list: readonly VtnObject[], query: URLSearchParams, fields: readonly string[]): readonly VtnObject[] {
  return list.filter((object) => fields.every((field) => !query.has(field) || object[field] === query.get(field)))
}

const LONGEST_PAGE = 50
function page(list: readonly VtnObject[], query: URLSearchParams): Answer {
  if (query.getAll('targets').some((target) => target.includes(',')))
    return refusal(400, 'targets is repeated, not a list')
  const numbers = { skip: Number(query.get('skip') ?? 0), limit: Number(query.get('limit') ?? LONGEST_PAGE) }
  if (!Number.isInteger(numbers.skip) || numbers.skip < 0) return refusal(400, 'skip must be at least 0')
  if (!Number.isInteger(numbers.limit) || numbers.limit < 0 || numbers.limit > LONGEST_PAGE)
    return refusal(400, 'limit must be at most 50')
  return new Answer(200, list.slice(numbers.skip, numbers.skip + numbers.limit))
}

function notifiers(path: string, { options }: VtnState): Answer | undefined {
  if (options.version === '3.0') return undefined
  const { mqttUrl } = options
  if (path === 'notifiers') {
    const MQTT = { URIS: [mqttUrl], serialization: 'JSON', authentication: { method: 'ANONYMOUS' } }
    return new Answer(200, { WEBHOOK: true, ...(mqttUrl !== undefined && { MQTT }) })
  }
  const program = /^notifiers\/mqtt\/topics\/programs\/([^/]+)\/events$/.exec(path)?.[1]
  if (mqttUrl === undefined || program === undefined) return undefined
  const topic = (operation: string) => `vtn/programs/${decodeURIComponent(program)}/events/${operation}`
  return new Answer(200, {
    topics: { CREATE: topic('create'), UPDATE: topic('update'), DELETE: topic('delete'), ALL: topic('+') },
  })
}
