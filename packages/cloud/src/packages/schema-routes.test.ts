import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestCloud } from '../testing/cloud.ts'

let cloud: Awaited<ReturnType<typeof startTestCloud>>
beforeAll(async () => {
  cloud = await startTestCloud()
})
afterAll(() => cloud?.stop())

describe('the schema of a manifest', () => {
  test('is served to anyone, byte for byte', async () => {
    const answer = await fetch(`${cloud.ready.baseUrl}/schemas/ticket-export-v1.json`)
    const file = new URL('../../../fpl/schemas/ticket-export-v1.json', import.meta.url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch('json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toBe(await readFile(file, 'utf8'))
  })
})
