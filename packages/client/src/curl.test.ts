import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ASK_FOR_KEY, curlLine, deviceLines } from './curl.ts'

const target = { origin: 'https://plantroom.example', apiKey: 'plr_1' }
const device = { orgId: 'org_1', deviceId: 'dev_1', connectionId: 'con_1' }

/** What bash passes to curl. */
function argumentsOf(line: string, env: Record<string, string> = {}): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const output = execFileSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  })
  return output.split('\0').slice(0, -1)
}

test('a line calls the operation with the key', () => {
  const line = curlLine('listReports', { orgId: 'org_1', query: { limit: 5 } }, target)
  expect(line).toBe(`curl -sS 'https://plantroom.example/api/orgs/org_1/reports?limit=5' -H 'X-Api-Key: plr_1'`)
})

test('without a key, a line uses the variable that the first line asks for', () => {
  const line = curlLine('listReports', { orgId: 'org_1' }, { origin: target.origin })
  expect(argumentsOf(line, { PLANTROOM_API_KEY: 'plr_2' })).toContain('X-Api-Key: plr_2')
  const output = execFileSync('bash', ['--norc', '-c', `${ASK_FOR_KEY}; echo "got $PLANTROOM_API_KEY"`], {
    input: 'plr_3\n',
    encoding: 'utf8',
  })
  expect(output).toContain('got plr_3')
})

test('nothing in an id can leave its quotes', () => {
  const connectionId = `it's "$(touch /tmp/x)" \`id\` \\`
  const [, url, , , , , , body] = argumentsOf(deviceLines({ ...device, connectionId }, target).export ?? '')
  expect(url).toBe('https://plantroom.example/api/orgs/org_1/edge-device-admin/dev_1/cmd/getTechnicalDataPoints')
  expect(JSON.parse(body ?? '')).toEqual({ data: { connectionId } })
})

test('an override lasts ten minutes from when the line runs, and the next line cancels it', () => {
  const { override = '', cancel = '' } = deviceLines({ ...device, datapointId: 'dp_1', value: 20.5 }, target)
  const body = JSON.parse(
    argumentsOf(override.replace(/^OVERRIDE=\$\(/, '').replace(/\); echo "\$OVERRIDE"$/, '')).at(-1) ?? '',
  )
  expect(body.data).toMatchObject({ datapointId: 'dp_1', value: 20.5 })
  expect(Date.parse(body.data.to) - Date.parse(body.data.from)).toBeGreaterThanOrEqual(599_000)
  const answer = '{"reqId":"1","data":{"id":"ovr_7"}}'
  expect(JSON.parse(argumentsOf(cancel, { OVERRIDE: answer }).at(-1) ?? '')).toEqual({ data: { id: 'ovr_7' } })
})

test('a running override is cancelled by its id', () => {
  const { cancel = '' } = deviceLines({ ...device, datapointId: 'dp_1', overrideId: 'ovr_9' }, target)
  expect(JSON.parse(argumentsOf(cancel).at(-1) ?? '')).toEqual({ data: { id: 'ovr_9' } })
})

test('a controller that only reads has no lines that write', () => {
  expect(Object.keys(deviceLines(device, target))).toEqual(['export', 'read'])
})
