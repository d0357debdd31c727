import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const DEMO = {
  baseUrl: 'http://127.0.0.1:9999',
  orgId: 'org_demo',
  propertyId: 'site_demo',
  deviceId: 'dev_demo',
  apiKey: 'plr_demo',
}

/** Creates a data folder with these files and returns the environment that points to it. */
function dataFolder(files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { PLANTROOM_DATA: folder }
}

const demoFolder = () => dataFolder({ 'demo.json': JSON.stringify(DEMO), 'admin-token': 'token_of_folder\n' })

const ENVIRONMENT = {
  PLANTROOM_URL: 'http://env.example',
  PLANTROOM_ORG: 'org_env',
  PLANTROOM_SITE: 'site_env',
  PLANTROOM_DEVICE: 'dev_env',
  PLANTROOM_API_KEY: 'plr_env',
  PLANTROOM_ADMIN_TOKEN: 'token_env',
}

describe('the configuration of a command', () => {
  test('defaults to this machine', () => {
    expect(readConfig({}, dataFolder())).toMatchObject({
      url: 'http://127.0.0.1:8080',
      apiKey: undefined,
      adminToken: undefined,
      orgId: undefined,
      siteId: undefined,
      deviceId: undefined,
      demo: undefined,
    })
    expect(readConfig({}, { ...dataFolder(), PLANTROOM_PORT: '9090' }).url).toBe('http://127.0.0.1:9090')
  })

  test('comes from the demo in the data folder, if there is one', () => {
    const { demo, ...config } = readConfig({}, demoFolder())
    expect(config).toMatchObject({
      url: DEMO.baseUrl,
      orgId: DEMO.orgId,
      siteId: DEMO.propertyId,
      deviceId: DEMO.deviceId,
      apiKey: DEMO.apiKey,
      adminToken: 'token_of_folder',
    })
    expect(demo).toEqual(DEMO)
  })

  test('prefers the environment to the demo', () => {
    expect(readConfig({}, { ...demoFolder(), ...ENVIRONMENT })).toMatchObject({
      url: 'http://env.example',
      orgId: 'org_env',
      siteId: 'site_env',
      deviceId: 'dev_env',
      apiKey: 'plr_env',
      adminToken: 'token_env',
    })
  })

  test('prefers flags to everything else', () => {
    const flags = { url: 'http://flag.example', org: 'org_flag', device: 'dev_flag' }
    expect(readConfig(flags, { ...demoFolder(), ...ENVIRONMENT })).toMatchObject({
      url: 'http://flag.example',
      orgId: 'org_flag',
      deviceId: 'dev_flag',
    })
  })

  test('removes a trailing slash', () => {
    expect(readConfig({ url: 'http://flag.example/base//' }, dataFolder()).url).toBe('http://flag.example/base')
  })

  test.each(['', '{', 'null', '"demo"'])('ignores a demo.json that contains %j', (text) => {
    const config = readConfig({}, dataFolder({ 'demo.json': text }))
    expect(config).toMatchObject({ url: 'http://127.0.0.1:8080', orgId: undefined, apiKey: undefined })
  })

  test('treats an empty setting as missing', () => {
    const empty = Object.fromEntries(Object.keys(ENVIRONMENT).map((name) => [name, '']))
    expect(readConfig({}, { ...demoFolder(), ...empty })).toMatchObject({
      url: DEMO.baseUrl,
      orgId: DEMO.orgId,
      siteId: DEMO.propertyId,
      deviceId: DEMO.deviceId,
      apiKey: DEMO.apiKey,
      adminToken: 'token_of_folder',
    })
  })
})
