import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadConfiguration } from '@plantroom/base/settings'
import { CLOUD_SETTINGS } from '@plantroom/contract/settings'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { findCloudSettings, readConfig } from './config.ts'

const ROOT = join(import.meta.dirname, '../../..')
const BLOCK = /^( *)```(\w+)\n([^`]*)^ *```/gm
const SETTING = /(?:^|\s)#?([A-Z][A-Z0-9_]+)=('[^']*'|[^\s']+)/gm

interface Shown {
  where: string
  text: string
}

/** The blocks of a language in the pages for operators, with their places. */
const blocks = (...languages: string[]): Shown[] =>
  globSync(['docs/{how-to,reference,tutorial}/**/*.md', '*.md'], { cwd: ROOT }).flatMap((page) => {
    const source = readFileSync(join(ROOT, page), 'utf8')
    return [...source.matchAll(BLOCK)]
      .filter(([, , language = '']) => languages.includes(language))
      .map(({ index, 3: text = '' }) => ({ where: `${page}:${source.slice(0, index).split('\n').length}`, text }))
  })

/** The settings of the cloud that a text gives, as a shell reads them. What the reader has to enter is left out. */
function settingsIn(text: string): Record<string, string> {
  const given = [...text.matchAll(SETTING)].map(
    ([, name = '', value = '']) => [name, value.replaceAll("'", '')] as const,
  )
  return Object.fromEntries(given.filter(([name, value]) => name in CLOUD_SETTINGS && !/…|\.\.\./.test(value)))
}

/** Everything that is wrong with settings, except for files that are not on this machine. */
async function problemsOf(env: Record<string, string>, file = 'none'): Promise<readonly string[]> {
  const found = await findCloudSettings(file, env)
  try {
    readConfig(found.values, found)
    return [...found.warnings]
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error
    return [...error.problems, ...found.warnings].filter((text) => !/\(ENOENT\)|set both or none/.test(text))
  }
}

describe('the program accepts the settings', () => {
  const shown = [
    ...blocks('sh', 'ini', 'console', 'text'),
    ...['tools/src/release/debian/cloud.env', 'deploy/compose/plantroom.env.example'].map((where) => ({
      where,
      text: readFileSync(join(ROOT, where), 'utf8'),
    })),
  ].filter(({ text }) => Object.keys(settingsIn(text)).length > 0 && !/PLANTROOM_DEVICE_ID/.test(text))

  test.each(shown)('in $where', async ({ text }) => {
    const { PLANTROOM_OIDC_ISSUER: issuer, ...env } = settingsIn(text)
    // The page leaves the secret to the reader.
    const oidc = issuer && { PLANTROOM_OIDC_ISSUER: issuer, PLANTROOM_OIDC_CLIENT_SECRET: 'secret' }
    expect(await problemsOf({ ...env, ...oidc })).toEqual([])
  })

  test.each(blocks('yaml').filter(({ text }) => /^(cloud|edge):/m.test(text)))(
    'of plantroom.yaml in $where',
    async ({ text }) => {
      const file = join(temporaryFolder(), 'plantroom.yaml')
      writeFileSync(file, text, { mode: 0o600 })
      expect(await problemsOf({}, file)).toEqual([])
    },
  )

  test('of the pages at all: the expressions above find them', () => {
    expect(shown.map(({ where }) => where.replace(/:\d+/, ''))).toEqual(
      expect.arrayContaining([
        'docs/how-to/run-in-production.md',
        'docs/how-to/monitor.md',
        'docs/how-to/get-alerts.md',
      ]),
    )
  })
})
