/**
 * What the descriptions of OpenADR 3 refuse, stated on its own: the double must not share the reader of the product, or both
 * would make the same mistake.
 */

export type VtnVersion = '3.0' | '3.1'
type Json = unknown
type Fields = Readonly<Record<string, Json>>

/** Thrown for a body that the description refuses. */
export class RefusedBody extends Error {}

const refuse = (path: string, rule: string): never => {
  throw new RefusedBody(`${path} ${rule}`)
}

const DURATION = /^(-?)P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+[DW])?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const OBJECT_ID = /^[a-zA-Z0-9_-]{1,128}$/

const fieldsOf = (path: string, value: Json): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : refuse(path, 'must be an object')
const listOf = (path: string, value: Json): readonly Json[] =>
  Array.isArray(value) ? value : refuse(path, 'must be a list')
const isMissing = (value: Json) => value === undefined || value === null

function textOf(path: string, value: Json, { min = 1, max = 128 } = {}): string {
  if (typeof value !== 'string' || value.length < min || value.length > max)
    refuse(path, `must be a text of ${min} to ${max} characters`)
  return value as string
}

function onlyKnown(path: string, fields: Fields, known: readonly string[]): void {
  for (const name of Object.keys(fields)) if (!known.includes(name)) refuse(`${path}.${name}`, 'is not a known field')
}

const METADATA = ['id', 'createdDateTime', 'modificationDateTime', 'objectType']

function checkObjectId(path: string, value: Json): void {
  if (typeof value !== 'string' || !OBJECT_ID.test(value)) refuse(path, 'must be an object id')
}

function checkPeriod(path: string, value: Json, version: VtnVersion): void {
  if (isMissing(value)) return
  const period = fieldsOf(path, value)
  onlyKnown(path, period, ['start', 'duration', 'randomizeStart'])
  if (version === '3.0' && isMissing(period.start)) refuse(`${path}.start`, 'is missing')
  if (!isMissing(period.start) && !TIME.test(String(period.start))) refuse(`${path}.start`, 'must be a date-time')
  for (const name of ['duration', 'randomizeStart'])
    if (!isMissing(period[name]) && !DURATION.test(String(period[name])))
      refuse(`${path}.${name}`, 'must be a duration')
}

function checkPayloads(path: string, value: Json): void {
  for (const [index, payload] of listOf(path, value).entries()) {
    const { type, values } = fieldsOf(`${path}[${index}]`, payload)
    textOf(`${path}[${index}].type`, type)
    for (const one of listOf(`${path}[${index}].values`, values)) {
      const isPoint = typeof one === 'object' && one !== null && 'x' in one && 'y' in one
      if (!['number', 'string', 'boolean'].includes(typeof one) && !isPoint)
        refuse(`${path}[${index}].values`, 'has a wrong value')
    }
  }
}

function checkIntervals(path: string, value: Json, version: VtnVersion): void {
  for (const [index, interval] of listOf(path, value).entries()) {
    const at = `${path}[${index}]`
    const { id, intervalPeriod, payloads } = fieldsOf(at, interval)
    if (!Number.isInteger(id)) refuse(`${at}.id`, 'must be an integer')
    checkPeriod(`${at}.intervalPeriod`, intervalPeriod, version)
    checkPayloads(`${at}.payloads`, payloads)
  }
}

function checkTargets(path: string, value: Json, version: VtnVersion): void {
  if (isMissing(value)) return
  if (version === '3.0') checkPayloads(path, value)
  else for (const target of listOf(path, value)) textOf(path, target)
}

export function checkEvent(value: Json, version: VtnVersion): Fields {
  const event = fieldsOf('event', value)
  checkObjectId('programID', event.programID)
  checkTargets('targets', event.targets, version)
  checkPeriod('intervalPeriod', event.intervalPeriod, version)
  if (version === '3.0' || !isMissing(event.intervals)) checkIntervals('intervals', event.intervals, version)
  const { priority } = event
  if (!isMissing(priority) && !(Number.isInteger(priority) && Number(priority) >= 0))
    refuse('priority', 'must be at least 0')
  return event
}

export function checkProgram(value: Json): Fields {
  const program = fieldsOf('program', value)
  textOf('programName', program.programName)
  return program
}

export function checkReport(value: Json, version: VtnVersion): Fields {
  const report = fieldsOf('report', value)
  const known = ['eventID', 'clientName', 'reportName', 'payloadDescriptors', 'resources', ...METADATA]
  onlyKnown('report', report, version === '3.0' ? [...known, 'programID'] : known)
  if (version === '3.0') checkObjectId('programID', report.programID)
  checkObjectId('eventID', report.eventID)
  textOf('clientName', report.clientName)
  if (!isMissing(report.payloadDescriptors)) checkReportDescriptors(report.payloadDescriptors, version)
  for (const [index, resource] of listOf('resources', report.resources).entries()) {
    const at = `resources[${index}]`
    const { resourceName, intervalPeriod, intervals } = fieldsOf(at, resource)
    textOf(`${at}.resourceName`, resourceName)
    checkPeriod(`${at}.intervalPeriod`, intervalPeriod, version)
    checkIntervals(`${at}.intervals`, intervals, version)
  }
  return report
}

function checkReportDescriptors(value: Json, version: VtnVersion): void {
  for (const [index, one] of listOf('payloadDescriptors', value).entries()) {
    const at = `payloadDescriptors[${index}]`
    const descriptor = fieldsOf(at, one)
    textOf(`${at}.payloadType`, descriptor.payloadType)
    const type = descriptor.objectType
    if (type !== 'REPORT_PAYLOAD_DESCRIPTOR' && !(version === '3.0' && type === undefined))
      refuse(`${at}.objectType`, 'must be REPORT_PAYLOAD_DESCRIPTOR')
  }
}

/** As a VEN may write it: without targets. */
export function checkVen(value: Json, version: VtnVersion): Fields {
  const ven = fieldsOf('ven', value)
  if (ven.targets !== undefined) refuse('targets', 'must not be written by a VEN')
  if (version === '3.1' && ven.objectType !== 'VEN_VEN_REQUEST') refuse('objectType', 'must be VEN_VEN_REQUEST')
  textOf('venName', ven.venName)
  return ven
}

/** 3.1.0 has no id of the VEN in the body of a resource, 3.1.1 requires it. */
export function checkResource(value: Json, version: VtnVersion, patch: 0 | 1): Fields {
  const resource = fieldsOf('resource', value)
  if (resource.targets !== undefined) refuse('targets', 'must not be written by a VEN')
  textOf('resourceName', resource.resourceName)
  if (version === '3.0') return resource
  if (resource.objectType !== 'VEN_RESOURCE_REQUEST') refuse('objectType', 'must be VEN_RESOURCE_REQUEST')
  if (patch === 1) checkObjectId('venID', resource.venID)
  else if (resource.venID !== undefined) refuse('venID', 'is not a known field')
  return resource
}

export function checkSubscription(value: Json, version: VtnVersion): Fields {
  const subscription = fieldsOf('subscription', value)
  textOf('clientName', subscription.clientName)
  if (version === '3.0' || !isMissing(subscription.programID)) checkObjectId('programID', subscription.programID)
  for (const [index, one] of listOf('objectOperations', subscription.objectOperations).entries()) {
    const at = `objectOperations[${index}]`
    const { objects, operations, callbackUrl } = fieldsOf(at, one)
    for (const object of listOf(`${at}.objects`, objects))
      if (!['PROGRAM', 'EVENT', 'REPORT', 'SUBSCRIPTION', 'VEN', 'RESOURCE'].includes(String(object)))
        refuse(`${at}.objects`, 'has an unknown type')
    for (const operation of listOf(`${at}.operations`, operations))
      if (!['READ', 'CREATE', 'UPDATE', 'DELETE'].includes(String(operation)))
        refuse(`${at}.operations`, 'has an unknown one')
    if (!URL.canParse(textOf(`${at}.callbackUrl`, callbackUrl, { min: 2, max: 8000 })))
      refuse(`${at}.callbackUrl`, 'must be a URL')
  }
  return subscription
}
