import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LintedTree, lintTree } from './testing/linted-tree.ts'

const CLOCK = 'Take a Clock'
const OUTBOUND = 'Requests to others go through platform/outbound'
const ENVIRONMENT = 'Only config.ts reads the environment'
const EXPRESSION = 'Write a regular expression as a literal'
const NUMBER = 'Use numberIn of text/numbers.ts'

const refused: readonly (readonly [path: string, source: string, rule: string])[] = [
  ['packages/edge/src/link/now.ts', 'export const now = () => Date.now()', CLOCK],
  ['packages/edge/src/link/now-passed-on.ts', 'export const clock = { now: Date.now }', CLOCK],
  ['packages/edge/src/link/today.ts', 'export const today = () => new Date()', CLOCK],
  ['packages/edge/src/link/monotonic.ts', 'export const monotonic = () => performance.now()', CLOCK],
  ['packages/cloud/src/wire.ts', 'export const later = (f: () => void) => setTimeout(f, 5)', CLOCK],
  ['packages/cloud/src/platform/db/often.ts', 'export const often = (f: () => void) => setInterval(f, 5)', CLOCK],
  ['packages/cloud/src/platform/db/global.ts', 'export const later = globalThis.setTimeout', CLOCK],
  ['packages/cloud/src/platform/db/global-often.ts', 'export const often = globalThis.setInterval', CLOCK],
  ['packages/cloud/src/platform/db/wait.ts', `export { setTimeout as wait } from 'node:timers/promises'`, CLOCK],
  ['packages/base/src/ids.ts', 'export const now = () => Date.now()', CLOCK],
  ['packages/testkit/src/wait.ts', 'export const later = (f: () => void) => setTimeout(f, 5)', CLOCK],

  ['packages/cloud/src/main.ts', 'export const port = process.env.PLANTROOM_PORT', 'noProcessEnv'],
  ['packages/cloud/src/control/devices/config.ts', 'export const port = process.env.PLANTROOM_PORT', 'noProcessEnv'],
  ['packages/cloud/src/platform/http/port.ts', `export { env } from 'node:process'`, ENVIRONMENT],
  [
    'packages/cloud/src/platform/http/taken-apart.ts',
    'const { env } = process\nexport const port = env.PORT',
    ENVIRONMENT,
  ],

  ['packages/cloud/src/organization/webhooks/ask.ts', `export const ask = () => fetch('https://a.example')`, OUTBOUND],
  ['packages/cloud/src/organization/webhooks/passed.ts', 'export const ask = { fetch: globalThis.fetch }', OUTBOUND],
  ['packages/cloud/src/organization/webhooks/http.ts', `export { request } from 'node:http'`, OUTBOUND],
  [
    'packages/cloud/src/maintenance/requests/https.ts',
    `import { STATUS_CODES, request as ask } from 'node:https'\nexport const a = [STATUS_CODES, ask]`,
    OUTBOUND,
  ],
  [
    'packages/cloud/src/maintenance/requests/lines.ts',
    `import {\n  isIP,\n  connect,\n} from 'node:net'\nexport const a = [isIP, connect]`,
    OUTBOUND,
  ],
  ['packages/cloud/src/wire/tls.ts', `import * as tls from 'node:tls'\nexport const a = tls.connect`, OUTBOUND],
  ['packages/cloud/src/wire/net.ts', `import net from 'node:net'\nexport const a = net.connect`, OUTBOUND],
  ['packages/cloud/src/wire/later.ts', `export const later = () => import('node:http')`, OUTBOUND],
  [
    'packages/cloud/src/maintenance/requests/bucket.ts',
    `import { S3Client } from '@aws-sdk/client-s3'\nexport const client = new S3Client({ region: 'eu' })`,
    OUTBOUND,
  ],
  ['packages/edge/src/made.ts', 'export const made = (text: string) => new RegExp(text)', EXPRESSION],
  ['packages/web/src/parts/called.ts', 'export const made = (text: string) => RegExp(text, "g")', EXPRESSION],
  [
    'packages/cloud/src/wire/global.ts',
    'export const made = (text: string) => new globalThis.RegExp(text)',
    EXPRESSION,
  ],
  ['packages/convert/src/text/read.ts', 'export const read = (text: string) => Number(text)', NUMBER],
  ['packages/convert/src/text/read-part.ts', 'export const read = (text: string) => Number.parseInt(text, 10)', NUMBER],
  ['packages/convert/src/text/read-all.ts', 'export const read = (texts: string[]) => texts.map(Number)', NUMBER],

  ['packages/edge/src/print.ts', `console.log('hello')`, 'noConsole'],
  ['packages/edge/src/default.ts', 'export default 1', 'noDefaultExport'],
  ['packages/edge/src/any.ts', 'export const value: any = 1', 'noExplicitAny'],
  ['packages/edge/src/protocol.ts', `export { join } from 'path'`, 'useNodejsImportProtocol'],
  ['packages/edge/src/unused-import.ts', `import { join } from 'node:path'\nexport const a = 1`, 'noUnusedImports'],
  ['packages/edge/src/unused-variable.ts', 'const a = 1\nexport const b = 2', 'noUnusedVariables'],
  [
    'packages/edge/src/floating.ts',
    'async function send(): Promise<void> {}\nexport function start() {\n  send()\n}',
    'noFloatingPromises',
  ],
  ['packages/edge/src/only.test.ts', `import { test } from 'vitest'\ntest.only('one', () => {})`, 'noFocusedTests'],
]

const accepted: readonly (readonly [path: string, source: string])[] = [
  ['packages/base/src/clock.ts', 'export const clock = { now: () => Date.now(), later: setTimeout }'],
  ['packages/edge/src/link/date-of.ts', 'export const dateOf = (ms: number) => new Date(ms)'],
  ['packages/edge/src/link/manual.ts', 'export const later = (c: { setTimeout(): void }) => c.setTimeout()'],
  ['packages/edge/src/link/later.test.ts', 'export const later = (f: () => void) => setTimeout(f, 5)'],
  [
    'packages/cloud/src/platform/db/testing/global-setup.ts',
    'export const now = () => Date.now() + Number(process.env.SHIFT)',
  ],
  ['packages/cloud/src/config.ts', 'export const port = process.env.PLANTROOM_PORT'],
  ['packages/testkit/src/child.ts', 'export const environment = { ...process.env }'],
  ['packages/cloud/src/platform/outbound/ask.ts', `export { request } from 'node:http'`],
  ['packages/cloud/src/platform/doctor/ask.ts', `export const ask = () => fetch('https://a.example')`],
  [
    'packages/cloud/src/platform/http/types.ts',
    `import { createServer, type Socket } from 'node:net'\nexport const open = (on: (socket: Socket) => void) => createServer(on)`,
  ],
  [
    'packages/cloud/src/platform/http/method.ts',
    'export const get = (fetched: { fetch(): void; request(): void }) => [fetched.fetch(), fetched.request()]',
  ],
  ['packages/cloud/src/wire/ask.test.ts', `export const ask = () => fetch('https://a.example')`],
  ['packages/contract/src/expressions.ts', 'export const made = (text: string) => new RegExp(text)'],
  ['packages/edge/src/link/is-expression.ts', 'export const is = (value: unknown) => value instanceof RegExp'],
  ['packages/edge/src/link/made.test.ts', 'export const made = (text: string) => new RegExp(text)'],
  ['packages/convert/src/text/numbers.ts', 'export const read = (text: string) => Number(text)'],
  ['packages/convert/src/text/largest.ts', 'export const largest = Number.MAX_SAFE_INTEGER'],
  ['packages/fpl/src/read.ts', 'export const read = (text: string) => Number(text)'],
  ['packages/cli/src/print.ts', `console.log('hello')`],
  ['e2e/demo.ts', 'console.log(Date.now(), process.env.CI)'],
  ['bench/floor.ts', 'console.log(performance.now(), process.env.CI)'],
  ['tools/src/print.ts', 'console.log(Date.now(), process.env.CI)'],
  ['packages/web/vite.config.ts', 'export default {}'],
]

describe('the code rules', () => {
  let tree: LintedTree

  beforeAll(async () => {
    tree = await lintTree(Object.fromEntries([...refused, ...accepted].map(([path, source]) => [path, `${source}\n`])))
  }, 120_000)
  afterAll(() => tree.remove())

  test.each(refused)('%s must not contain: %s', (path, _source, rule) => {
    expect(tree.problems(path)).toContainEqual(expect.stringContaining(rule))
  })

  test.each(accepted)('%s may contain: %s', (path) => {
    expect(tree.problems(path)).toEqual([])
  })
})
