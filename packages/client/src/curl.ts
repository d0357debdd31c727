import { type OperationInput, type OperationName, pathOf } from './client.ts'
import { OPERATIONS } from './operations.ts'

/** Where the lines lead, and with which key. Without one, the lines use the variable that `askForKey` sets. */
export interface CurlTarget {
  readonly origin: string
  readonly apiKey?: string | undefined
}

const VARIABLE = 'PLANTROOM_API_KEY'

/** Asks for the API key without showing it and without leaving it in the history of the shell. */
export const ASK_FOR_KEY = `printf 'API key: '; read -rs ${VARIABLE}; export ${VARIABLE}; echo`

/** Returns a command for bash that calls an operation. */
export function curlLine<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  { origin, apiKey }: CurlTarget,
): string {
  const [method] = OPERATIONS[name]
  const { body } = input as { body?: object }
  const key = apiKey === undefined ? `"X-Api-Key: $${VARIABLE}"` : quoted(`X-Api-Key: ${apiKey}`)
  return [
    'curl -sS',
    ...(method === 'GET' || (method === 'POST' && body) ? [] : ['-X', method]),
    quoted(origin + pathOf(name, input)),
    '-H',
    key,
    ...(body ? ["-H 'Content-Type: application/json' -d", quoted(JSON.stringify(body))] : []),
  ].join(' ')
}

/** The parts of a controller that its lines are about. */
interface DeviceIds {
  orgId: string
  deviceId: string
  connectionId: string
  /** Without one, nothing can be overridden. */
  datapointId?: string | undefined
  /** The setpoint of the override. */
  value?: number
  /** The override to cancel; the one that the override line placed when none is given. */
  overrideId?: string | undefined
}

const OVERRIDE_MINUTES = 10

/** Returns the commands with which a partner's engineer tries a controller, in the order of trying. */
export function deviceLines(ids: DeviceIds, target: CurlTarget): Partial<Record<DeviceLine, string>> {
  const { orgId, deviceId, connectionId, datapointId, value = 0, overrideId } = ids
  const device = { orgId, deviceId }
  const read = {
    export: curlLine('getTechnicalDataPoints', { ...device, body: { data: { connectionId } } }, target),
    read: curlLine('getTechnicalConnectionValues', { ...device, body: { data: { id: connectionId } } }, target),
  }
  if (datapointId === undefined) return read
  const span = { from: '@FROM@', to: '@TO@' }
  const placed = curlLine(
    'demandResponseOverride',
    { ...device, body: { data: { datapointId, value, ...span } } },
    target,
  )
    .replace('@FROM@', `'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'`)
    .replace('@TO@', `'"${timeIn(OVERRIDE_MINUTES * 60)}"'`)
  const cancel = curlLine('demandResponseCancel', { ...device, body: { data: { id: overrideId ?? '@ID@' } } }, target)
  return {
    ...read,
    override: `OVERRIDE=$(${placed}); echo "$OVERRIDE"`,
    cancel: cancel.replace('@ID@', `'"$(echo "$OVERRIDE" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')"'`),
  }
}

export const DEVICE_LINES = ['export', 'read', 'override', 'cancel'] as const
export type DeviceLine = (typeof DEVICE_LINES)[number]

/** The time in so many seconds: as macOS says it, then as Linux does. */
function timeIn(seconds: number): string {
  const at = `$(($(date +%s) + ${seconds}))`
  const shape = '+%Y-%m-%dT%H:%M:%SZ'
  return `$(date -u -r ${at} ${shape} 2>/dev/null || date -u -d @${at} ${shape})`
}

/** One word of a shell, whatever the text contains. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
