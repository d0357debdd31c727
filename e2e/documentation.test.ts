import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { readDemoJson, startDemo } from './support/demo.ts'
import {
  type Block,
  blocksOf,
  commandsOf,
  DEVELOPER_PAGES,
  isTyped,
  PAGES,
  stepsOf,
} from './support/documentation/blocks.ts'
import { differences } from './support/documentation/compare-output.ts'
import { PREPARATIONS } from './support/documentation/preparations.ts'
import { runPage } from './support/documentation/run-page.ts'
import { environment, ROOT } from './support/environment.ts'
import { ownFolder } from './support/folder.ts'

const at = ({ source, line }: Block) => `${source}:${line}`
/**
 * Commands that other programs run, or the tools of a checkout: see `plantroom` and `packages/cli/launch.sh`. And `profile`,
 * which reads a secret from standard input.
 */
const ELSEWHERE =
  /^(demo|cloud|worker|edge|simulate|backup|restore|config|doctor|support|profile|prepare|bench|--help)$/

/** A wrong subcommand, flag and command. */
const WRONG = [['dr', 'overide', 'x', '1'], ['reports', '--no-such-flag'], ['no-such-command']]

describe('commands in the documentation', () => {
  test('are in blocks that say what they are', () => {
    const unmarked = PAGES.flatMap(blocksOf)
      .filter((block) => !isTyped(block) && /^(\$ |(\.\/)?plantroom [a-z]|npm |curl )/m.test(block.text))
      .map((block) => `${at(block)}: begin the block with \`\`\`sh, or with \`\`\`console if it shows output`)
    expect(unmarked).toEqual([])
  })

  test('parse with the command line program', async () => {
    const commands = [...PAGES, ...DEVELOPER_PAGES]
      .flatMap(blocksOf)
      .filter(isTyped)
      .flatMap((block) => commandsOf(block).map((args) => ({ block, args })))
    expect(commands.length).toBeGreaterThan(80)
    const [ours, tools] = split(commands, ({ args: [name = ''] }) => !ELSEWHERE.test(name) && !isTool(name))
    expect(tools.filter(({ args: [name = ''] }) => name.startsWith('-') && name !== '--help')).toEqual([])
    const answers = await parseAll([...ours.map(({ args }) => args), ...WRONG])
    // The check notices what is wrong.
    expect(answers.slice(ours.length).map(({ code }) => code)).toEqual(WRONG.map(() => 2))
    const wrong = ours.flatMap(({ block, args }, index) => {
      const { code, message } = answers[index] ?? { code: 2, message: 'no answer' }
      return code === 2 ? [`${at(block)}: plantroom ${args.join(' ')}\n  ${message}`] : []
    })
    expect(wrong).toEqual([])
  })
})

describe('the check of the documentation', () => {
  test('notices output that differs', () => {
    const real = 'override ovr_abc123 is active until 2026-11-15T20:09:07.177Z (5 min)\n  1 new'
    expect(
      differences(['override ovr_x1… is active until 2025-01-01T00:00:00.000Z (5 min)', '…', '1 …'], real),
    ).toEqual([])
    expect(differences(['2 new'], real)).toEqual([
      expect.stringContaining('the page shows\n  2 new\nbut the command printed'),
    ])
  })

  test('takes commands and their output apart', () => {
    const block = { source: 'a.md', line: 1, language: 'console', notRun: undefined }
    const text = "$ plantroom a \\\n    --b 'c d' # why\nout\n\n$ x=1 plantroom e | jq\n"
    expect(stepsOf({ ...block, text })).toEqual([
      { command: "plantroom a \\\n    --b 'c d' # why", output: ['out', ''] },
      { command: 'x=1 plantroom e | jq', output: [] },
    ])
    expect(commandsOf({ ...block, text })).toEqual([['a', '--b', 'c d'], ['e']])
  })
})

const isTool = (name: string) => existsSync(join(ROOT, 'tools/src', `${name}.ts`))

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))]
}

async function parseAll(commands: readonly string[][]): Promise<{ code: number; message: string }[]> {
  await using own = ownFolder()
  const program = join(import.meta.dirname, 'support/documentation/parse-commands.ts')
  const child = spawn(process.execPath, [program, join(ROOT, 'packages/cli/src/main.ts')], {
    cwd: own.path,
    env: environment({
      // Nothing listens there.
      PLANTROOM_URL: 'http://127.0.0.1:1',
      PLANTROOM_ADMIN_TOKEN: 'token',
      PLANTROOM_API_KEY: 'plr_key',
      PLANTROOM_ORG: 'org_1',
      PLANTROOM_SITE: 'site_1',
      PLANTROOM_DEVICE: 'dev_1',
    }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(commands.map((args) => `${JSON.stringify(args)}\n`).join(''))
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const RUN = PAGES.filter((page) => blocksOf(page).some((block) => isTyped(block) && block.notRun === undefined))

test.runIf(isCampaign).each(RUN)('the commands of %s run, and print what it shows', async (source) => {
  await repeat(1, async () => {
    // Each page has a demo of its own, as its reader has.
    await using own = ownFolder()
    const folder = join(own.path, 'data')
    const demo = await startDemo(folder)
    try {
      const running = { folder, file: readDemoJson(folder) }
      const problems = await runPage(source, join(own.path, 'reader'), running, PREPARATIONS[source])
      expect(problems.join('\n\n')).toBe('')
    } finally {
      demo.interrupt()
      await demo.ended
    }
  })
})

test('no command that the campaign runs changes the machine', () => {
  const changes =
    /^(apt|apt-get|dpkg|systemctl|docker|podman|skopeo|useradd|install|nano) |\s\/(etc|usr|opt|backups)\//m
  const runnable = PAGES.flatMap((page) => blocksOf(page)).filter(
    (block) => isTyped(block) && block.notRun === undefined,
  )
  const steps = runnable.flatMap((block) => stepsOf(block).map(({ command }) => [block.source, command] as const))
  const filled = steps.map(([source, command]) => {
    const { instead = [] } = PREPARATIONS[source] ?? {}
    return instead.reduce((text, [from, to]) => text.replaceAll(from, to), command)
  })
  expect(filled.length).toBeGreaterThan(100)
  expect(filled.filter((command) => changes.test(command))).toEqual([])
})

test('pages that need preparation exist', () => {
  expect(
    Object.keys(PREPARATIONS).filter((source) => !readFileSync(join(ROOT, source), 'utf8').includes('```')),
  ).toEqual([])
})
