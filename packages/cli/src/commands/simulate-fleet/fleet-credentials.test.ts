import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { type FleetCredentials, readCredentials, writeCredentials } from './fleet-credentials.ts'

const FLEET: FleetCredentials = {
  ...{ service: 'http://127.0.0.1:8080', orgId: 'org_1', siteId: 'site_1', values: 2, intervalSeconds: 60 },
  devices: [
    { id: 'dev_1', secret: 's', system: { id: 'ts_1', connectionId: 'con_1', datapointIds: ['dp_1', 'dp_2'] } },
    { id: 'dev_2', secret: 't' },
  ],
}
const newPath = () => join(temporaryFolder(), 'fleet.json')

describe('the credentials of a fleet', () => {
  test('are read back as they were written', () => {
    const path = newPath()
    expect(readCredentials(path)).toBeUndefined()
    writeCredentials(path, FLEET)
    expect(readCredentials(path)).toEqual(FLEET)
  })

  test('are readable by their owner only, also where a file of others was', () => {
    const path = newPath()
    writeFileSync(path, '', { mode: 0o644 })
    writeCredentials(path, FLEET)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('are not written without a path', () => {
    writeCredentials(undefined, FLEET)
    expect(readCredentials(undefined)).toBeUndefined()
  })

  test.each([['not JSON'], ['[]'], ['null'], ['{"devices": 5}']])('that are %s are refused and left alone', (text) => {
    const path = newPath()
    writeFileSync(path, text)
    expect(() => readCredentials(path)).toThrow(/is not a file of plantroom simulate-fleet/)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})
