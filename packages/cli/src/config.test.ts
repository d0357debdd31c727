import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { openProfiles } from './profiles.ts'

const DEMO = {
  baseUrl: 'http://127.0.0.1:9999',
  orgId: 'org_demo',
  propertyId: 'site_demo',
  deviceId: 'dev_demo',
  apiKey: 'plr_demo',
}

/** Creates a data folder with these files and returns the environment that points to it. */
function dataFolder(files: Readonly<Record<string, string>> = {}): Record<string, string> {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return { PLANTROOM_DATA: folder, XDG_CONFIG_HOME: join(folder, 'config') }
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

describe('the cloud of the data folder', () => {
  const SERVICE = { url: 'https://10.0.0.5:443', instance: 'i', token: 'token_of_process', certificate: 'PEM' }
  const installed = (files = {}) =>
    dataFolder({ 'service.json': JSON.stringify(SERVICE), 'admin-token': 'token_of_folder\n', ...files })
  const OF_SERVICE = { url: SERVICE.url, adminToken: SERVICE.token, certificate: SERVICE.certificate }

  test('says where it listens, with which certificate, and gives a token', () => {
    expect(readConfig({}, installed())).toMatchObject(OF_SERVICE)
    // The settings of a person do not know what the service made of its own.
    expect(readConfig({}, { ...installed(), PLANTROOM_PORT: '9090' })).toMatchObject(OF_SERVICE)
    expect(readConfig({ url: `${SERVICE.url}/` }, installed())).toMatchObject(OF_SERVICE)
  })

  test('gives its token and its certificate to no other address', () => {
    expect(readConfig({ url: 'https://elsewhere.example' }, installed())).toMatchObject({
      ...{ url: 'https://elsewhere.example', certificate: undefined },
      adminToken: expect.not.stringContaining(SERVICE.token),
    })
  })

  test('comes after a demo and a profile', () => {
    expect(readConfig({}, installed({ 'demo.json': JSON.stringify(DEMO) }))).toMatchObject({ url: DEMO.baseUrl })
    const env = installed()
    openProfiles(env).write('north', PROFILE)
    openProfiles(env).use('north')
    expect(readConfig({}, env)).toMatchObject({ url: PROFILE.url, adminToken: undefined })
  })
})

const PROFILE = {
  url: 'https://north.example.com',
  org: 'org_north',
  site: 'site_north',
  device: 'dev_north',
  apiKey: 'plr_north',
}

/** The environment of a person with a profile `north`, a demo and a file with the admin token. */
function withProfile({ isDefault = true } = {}) {
  const env = demoFolder()
  const profiles = openProfiles(env)
  profiles.write('north', PROFILE)
  if (isDefault) profiles.use('north')
  return env
}

const FROM_PROFILE = {
  url: PROFILE.url,
  profile: 'north',
  orgId: 'org_north',
  siteId: 'site_north',
  deviceId: 'dev_north',
  apiKey: 'plr_north',
  // Not the token of the demo.
  adminToken: undefined,
}

describe('a profile', () => {
  test('replaces the demo as a whole, so that no secret of the demo reaches its service', () => {
    expect(readConfig({}, withProfile())).toMatchObject({ ...FROM_PROFILE, demo: undefined, hidesDemo: true })
  })

  test('is used if a flag or the environment names it', () => {
    const env = withProfile({ isDefault: false })
    expect(readConfig({}, env)).toMatchObject({ profile: undefined, orgId: DEMO.orgId })
    expect(readConfig({ profile: 'north' }, env)).toMatchObject({ ...FROM_PROFILE, hidesDemo: false })
    expect(readConfig({}, { ...env, PLANTROOM_PROFILE: 'north' })).toMatchObject(FROM_PROFILE)
    expect(() => readConfig({ profile: 'nort' }, env)).toThrow('there is no profile nort (did you mean north?)')
  })

  test('is weaker than the environment, which is weaker than flags', () => {
    const { PLANTROOM_URL: _url, ...settings } = ENVIRONMENT
    const config = readConfig({ org: 'org_flag' }, { ...withProfile(), ...settings })
    expect(config).toMatchObject({ url: PROFILE.url, orgId: 'org_flag', deviceId: 'dev_env', apiKey: 'plr_env' })
  })

  test.each([
    [{ url: 'http://evil.example' }, {}],
    [{}, { PLANTROOM_URL: 'http://evil.example' }],
  ])('does not give its secret to another service: %j %j', (flags, settings) => {
    const env = { ...withProfile(), ...settings }
    expect(readConfig(flags, env)).toMatchObject({ url: 'http://evil.example', profile: undefined })
    expect(readConfig(flags, env).apiKey).not.toBe('plr_north')
    expect(() => readConfig({ ...flags, profile: 'north' }, env)).toThrow('is not the service of profile north')
  })

  test('is used with its own address, with or without a slash', () => {
    expect(readConfig({ url: 'https://north.example.com/' }, withProfile())).toMatchObject(FROM_PROFILE)
  })

  test('that cannot be used does not matter to a command that names its service, or to the demo', () => {
    const env = withProfile()
    writeFileSync(join(env.XDG_CONFIG_HOME ?? '', 'plantroom/profiles/north.json'), '{')
    expect(() => readConfig({}, env)).toThrow('is not a profile')
    expect(readConfig({ url: 'http://other.example' }, env).url).toBe('http://other.example')
    expect(readConfig({}, { ...env, PLANTROOM_PROFILE: 'north' }, null).demo).toEqual(DEMO)
  })
})
