import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const url = 'http://10.0.0.5:8085/obix/'
const point = (data: Record<string, unknown>, accessType = 'READ_WRITE') => ({ name: 'Supply air', accessType, data })
const problemsOf = (settings: Record<string, unknown>, ...datapoints: ReturnType<typeof point>[]) =>
  parseConfig({ settings, datapoints }).problems

describe('the settings of a connection', () => {
  test('require only the address of the lobby', () => {
    expect(parseConfig({ settings: { url, pollSeconds: 5 }, datapoints: [] })).toEqual({
      problems: [],
      config: {
        settings: {
          url,
          credentials: undefined,
          ca: undefined,
          mode: 'batch',
          timeoutMs: 5000,
          maxBodyBytes: 1_048_576,
        },
        points: [],
      },
    })
  })

  test('list all errors together, with value and rule', () => {
    const wrong = { mode: 'poll', timeoutMs: 0, maxBodyBytes: 10, pollSeconds: 0, password: 7, ca: '', port: 80 }
    expect(problemsOf(wrong)).toEqual([
      {
        path: 'settings.url',
        message: 'is missing: it must be the address of the lobby, for example http://10.0.0.5/obix/',
      },
      { path: 'settings.password', message: 'must be text' },
      { path: 'settings.ca', message: 'must be text' },
      { path: 'settings.mode', message: 'poll must be one of: batch, watch, get' },
      { path: 'settings.timeoutMs', message: '0 must be a whole number from 1 to 60000' },
      { path: 'settings.maxBodyBytes', message: '10 must be a whole number from 1024 to 67108864' },
      { path: 'settings.pollSeconds', message: '0 must be a number from 0.1 to 86400' },
      {
        path: 'settings.port',
        message:
          'is not a known field; known fields: url, username, password, ca, mode, timeoutMs, maxBodyBytes, pollSeconds',
      },
    ])
  })

  test.each([
    ['10.0.0.5/obix', 'must be the address of the lobby, for example http://10.0.0.5/obix/'],
    ['ftp://10.0.0.5/obix/', 'must be the address of the lobby, for example http://10.0.0.5/obix/'],
    [7, 'must be text'],
    ['', 'must be text'],
    ['http://admin:hunter2@10.0.0.5/obix/', 'must not contain credentials: set username and password'],
    [
      'http://10.0.0.5/obix/?a=b',
      'must be the address of the lobby, for example http://10.0.0.5/obix/, without ? and #',
    ],
  ])('reject the url %s', (wrong, message) => {
    expect(problemsOf({ url: wrong })).toEqual([{ path: 'settings.url', message }])
  })

  test('never show a secret, even if it is invalid', () => {
    const wrong = { url: 'http//me:hunter2@ host', username: 'a:b', password: ['hunter2'], nonsense: 1 }
    expect(JSON.stringify(problemsOf(wrong))).not.toContain('hunter2')
  })

  test('accept a username with or without a password', () => {
    const credentialsOf = (settings: Record<string, unknown>) =>
      parseConfig({ settings: { url, ...settings }, datapoints: [] }).config.settings.credentials
    const secret = 'two words: ä'
    expect(credentialsOf({ username: 'me', password: secret })).toEqual({ username: 'me', password: secret })
    expect(credentialsOf({ username: 'me' })).toEqual({ username: 'me', password: '' })
    expect(credentialsOf({ username: 'me', password: '' })).toEqual({ username: 'me', password: '' })
    expect(problemsOf({ url, username: 'me', password: '' })).toEqual([])
  })

  test('reject a username that basic authentication cannot send, and a password without a username', () => {
    expect(problemsOf({ url, username: 'a:b' })).toEqual([
      { path: 'settings.username', message: 'must not contain a colon, which basic authentication does not allow' },
    ])
    expect(problemsOf({ url, password: 'secret' })).toEqual([
      { path: 'settings.password', message: 'requires a username' },
    ])
  })

  test('accept certificates only with https', () => {
    expect(problemsOf({ url: 'https://10.0.0.5/obix/', ca: '/etc/site ca.pem' })).toEqual([])
    expect(problemsOf({ url, ca: '/etc/ca.pem' })).toEqual([{ path: 'settings.ca', message: 'requires https in url' }])
  })
})

describe('a datapoint', () => {
  test('is written with PUT, as the type that the server shows, by default', () => {
    const { config, problems } = parseConfig({ settings: { url }, datapoints: [point({ href: 'points/supplyAir/' })] })
    expect(problems).toEqual([])
    expect(config.points).toEqual([
      {
        name: 'Supply air',
        writable: true,
        path: '/obix/points/supplyAir/',
        write: 'put',
        type: undefined,
      },
    ])
  })

  test.each([
    [{ href: 'a' }, '/obix/a'],
    [{ href: '/a/b' }, '/a/b'],
    [{ href: 'http://10.0.0.5:8085/obix/a' }, '/obix/a'],
    [{ href: 'a?b=c', type: 'int', write: 'writePoint' }, '/obix/a?b=c'],
  ])('%o is at %s', (data, path) => {
    expect(parseConfig({ settings: { url }, datapoints: [point(data)] }).config.points[0]?.path).toBe(path)
  })

  test('is below the lobby even if the address has no trailing slash', () => {
    const settings = { url: 'http://10.0.0.5:8085/obix' }
    const { config } = parseConfig({ settings, datapoints: [point({ href: 'points/a/' })] })
    expect(config.points[0]?.path).toBe('/obix/points/a/')
  })

  test.each([
    ['READ', false],
    ['WRITE', true],
    ['READ_WRITE', true],
  ])('with %s access', (accessType, writable) => {
    const { config } = parseConfig({ settings: { url }, datapoints: [point({ href: 'a' }, accessType)] })
    expect(config.points[0]).toMatchObject({ writable })
  })

  test.each([
    ['http://10.0.0.6:8085/obix/a', 'must be on the server of the lobby, http://10.0.0.5:8085'],
    ['https://10.0.0.5:8085/obix/a', 'must be on the server of the lobby, http://10.0.0.5:8085'],
    ['//evil/a', 'must be on the server of the lobby, http://10.0.0.5:8085'],
    ['http://[/', 'is not a valid address'],
    ['http://me:hunter2@10.0.0.5:8085/a', 'must not contain credentials'],
    ['a#b', 'must not contain #'],
    ['a b', '"a b" must be text without spaces'],
  ])('rejects the href %s', (href, message) => {
    expect(problemsOf({ url }, point({ href }))).toEqual([{ path: 'datapoints[0].data.href', message }])
  })

  test('lists all its errors together', () => {
    expect(problemsOf({ url }, point({ write: 'post', type: 'float', unit: 'C' }))).toEqual([
      { path: 'datapoints[0].data.href', message: 'is missing: it must be text without spaces' },
      { path: 'datapoints[0].data.write', message: 'post must be one of: put, writePoint' },
      { path: 'datapoints[0].data.type', message: 'float must be one of: real, int, bool' },
      { path: 'datapoints[0].data.unit', message: 'is not a known field; known fields: href, write, type' },
    ])
  })
})
