import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { type DemoFile, demoFilePath, writeDemoFile } from './demo-file.ts'

const content = (pid: number, apiKey = 'plr_demo'): DemoFile => ({
  baseUrl: 'http://127.0.0.1:8080',
  ticketApiBase: 'http://127.0.0.1:8080/api',
  schemaUrl: 'http://127.0.0.1:8080/schemas/ticket-export-v1.json',
  orgId: 'org_1',
  propertyId: 'site_1',
  deviceId: 'dev_1',
  apiKey,
  adminToken: 'token',
  user: { email: 'demo@plantroom.example', password: 'hunter2' },
  mqttUrl: 'mqtt://127.0.0.1:1883',
  connections: [],
  pids: { cloud: pid },
})

const read = (folder: string) => JSON.parse(readFileSync(demoFilePath(folder), 'utf8')) as DemoFile

describe('demo.json', () => {
  test('has the written content, is readable by its owner only, and leaves no other file', async () => {
    const folder = temporaryFolder()
    await writeDemoFile(folder, content(1))
    expect(read(folder)).toEqual(content(1))
    expect(statSync(demoFilePath(folder)).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['demo.json'])
  })

  test('is replaced as a whole, and becomes readable by its owner only', async () => {
    const folder = temporaryFolder()
    await writeDemoFile(folder, content(1, 'x'.repeat(10_000)))
    await chmod(demoFilePath(folder), 0o644)
    await writeDemoFile(folder, content(2))
    expect(read(folder)).toEqual(content(2))
    expect(statSync(demoFilePath(folder)).mode & 0o777).toBe(0o600)
  })

  test('is always complete for readers while it is written', async () => {
    const folder = temporaryFolder()
    await writeDemoFile(folder, content(0))
    let writing = true
    const writes = (async () => {
      for (let pid = 1; pid <= 50; pid += 1) await writeDemoFile(folder, content(pid, 'x'.repeat(pid * 1000)))
      writing = false
    })()
    let before = 0
    while (writing) {
      const pid = read(folder).pids.cloud ?? -1
      expect(pid).toBeGreaterThanOrEqual(before)
      before = pid
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writes
  })

  test('can be written after an interrupted write', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'demo.json.new'), '{"half": ')
    await writeDemoFile(folder, content(3))
    expect(read(folder)).toEqual(content(3))
  })

  // Two parts of the demo may restart at the same time, and a shared temporary file would make the second write fail.
  test('can be written twice at the same time', async () => {
    const folder = temporaryFolder()
    await Promise.all([writeDemoFile(folder, content(1)), writeDemoFile(folder, content(2))])
    expect([content(1), content(2)]).toContainEqual(read(folder))
  })
})
