import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { UsageError } from './command.ts'
import { openProfiles } from './profiles.ts'

const NORTH = { url: 'https://north.example.com', org: 'org_1', apiKey: 'plr_secret' }

function person() {
  const folder = temporaryFolder()
  const path = (name: string) => join(folder, 'plantroom/profiles', `${name}.json`)
  return { folder, path, profiles: openProfiles({ XDG_CONFIG_HOME: folder }) }
}

describe('profiles', () => {
  test('are kept, listed, used and removed', () => {
    const { profiles } = person()
    expect([profiles.names(), profiles.current()]).toEqual([[], undefined])
    profiles.write('north', NORTH)
    profiles.write('a.b_c-1', { url: 'http://127.0.0.1:8080' })
    profiles.use('north')
    expect([profiles.names(), profiles.current()]).toEqual([['a.b_c-1', 'north'], 'north'])
    expect(profiles.read('north')).toEqual(NORTH)
    profiles.use(undefined)
    profiles.remove('north')
    expect([profiles.names(), profiles.current()]).toEqual([['a.b_c-1'], undefined])
  })

  test('are readable only by their owner, whatever the umask', () => {
    const { folder, path, profiles } = person()
    const before = process.umask(0)
    try {
      profiles.write('north', NORTH)
    } finally {
      process.umask(before)
    }
    expect(statSync(path('north')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'plantroom')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'plantroom/profiles'))).toEqual(['north.json'])
  })

  test.each([0o640, 0o604, 0o666])('that others can read (mode %o) are refused', (mode) => {
    const { path, profiles } = person()
    profiles.write('north', NORTH)
    chmodSync(path('north'), mode)
    expect(() => profiles.read('north')).toThrow(`other users can read (mode ${mode.toString(8)}): run chmod 600`)
  })

  test.each(['', '{', 'null', '[]', '{"url": 5}', '{"url": "http://x", "apiKey": 1}'])(
    'that contain %j are refused with what to do',
    (text) => {
      const { folder, path, profiles } = person()
      mkdirSync(join(folder, 'plantroom/profiles'), { recursive: true })
      writeFileSync(path('broken'), text, { mode: 0o600 })
      expect(() => profiles.read('broken')).toThrow('is not a profile: remove it and add it again')
    },
  )

  test.each(['', '../north', 'a/b', '.hidden', 'a b', 'ä', 'x'.repeat(65)])('cannot be called %j', (name) => {
    const { profiles } = person()
    for (const act of [() => profiles.write(name, NORTH), () => profiles.read(name), () => profiles.use(name)]) {
      expect(act).toThrow(UsageError)
    }
    expect(profiles.names()).toEqual([])
  })

  test('of an unknown name are refused with similar ones', () => {
    const { profiles } = person()
    profiles.write('north', NORTH)
    expect(() => profiles.read('nort')).toThrow(new UsageError('there is no profile nort (did you mean north?)'))
  })

  test('are in ~/.config if XDG_CONFIG_HOME is missing or relative', () => {
    const { folder } = person()
    for (const env of [{ HOME: folder }, { HOME: folder, XDG_CONFIG_HOME: 'relative' }]) {
      openProfiles(env).write('north', NORTH)
      expect(statSync(join(folder, '.config/plantroom/profiles/north.json')).isFile()).toBe(true)
    }
  })
})
