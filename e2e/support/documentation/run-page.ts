import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoJson } from '../demo.ts'
import { environment, PLANTROOM } from '../environment.ts'
import { blocksOf, isTyped, stepsOf } from './blocks.ts'
import { differences } from './compare-output.ts'
import { openShell } from './shell.ts'

/** What a page needs beside a running demo. */
export interface Preparation {
  /** Files in the folder in which the reader types. */
  files?: Readonly<Record<string, string>>
  /** Texts of commands, with what a demo needs in their place. */
  instead?: readonly (readonly [string, string])[]
  /** Beginnings of commands that need more than a demo, in parts of a page that are generated. */
  skips?: readonly string[]
  /** False where the page shows the output of another building or export. */
  sameOutput?: boolean
}

/** Changes of command lines that would not end by themselves. */
const BOUNDED: readonly (readonly [RegExp, string])[] = [
  [/(plantroom dr watch \S+).*/g, '$1 --every 1 --count 2'],
  [/^(curl -sSN .*)$/gm, 'timeout 5 $1 || [ $? = 124 ]'],
  [/^(kill -9 \d+)$/gm, '$1; until plantroom dr values Inverter >/dev/null 2>&1; do sleep 0.5; done'],
]

/** Commands that change nothing, so that they can be typed again until the building has followed. */
const READS = /^\S*plantroom (dr (values|watch)|reports|alerts|fleet status)\b/
const MOST_READS = 90
const BETWEEN_READS_MS = 1000

/**
 * Runs the commands of a page one after another in one shell, as a reader would, beside a demo. Returns what went wrong:
 * commands that fail, and output that differs from the page.
 */
export async function runPage(
  source: string,
  folder: string,
  demo: { folder: string; file: DemoJson },
  { files = {}, instead = [], skips = [], sameOutput = true }: Preparation = {},
): Promise<string[]> {
  prepare(folder, files)
  const settings = {
    PLANTROOM_DATA: demo.folder,
    PLANTROOM_URL: demo.file.baseUrl,
    PLANTROOM_ORG: demo.file.orgId,
    PLANTROOM_ADMIN_TOKEN: demo.file.adminToken,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  }
  await using shell = openShell(folder, environment(settings))
  const ids = createIds(demo.file)
  const problems: string[] = []
  for (const block of blocksOf(source).filter((each) => isTyped(each) && each.notRun === undefined)) {
    for (const { command, output } of stepsOf(block)) {
      if (skips.some((beginning) => command.startsWith(beginning))) continue
      const filled = instead.reduce((text, [from, to]) => text.replaceAll(from, to), ids.fill(command))
      const typed = BOUNDED.reduce((text, [pattern, by]) => text.replace(pattern, by), filled)
      const run = async () => {
        const { failed, output: printed } = await shell.run(typed.replaceAll('/tmp/', `${folder}/tmp/`))
        const shown = printed.replaceAll(`${folder}/tmp/`, '/tmp/')
        ids.learn(shown)
        // A page that shows output may show an error.
        if (failed !== undefined && output.length === 0) return [`failed at ${failed}:\n${shown}`]
        return sameOutput ? differences(output, shown) : []
      }
      let wrong = await run()
      // The building takes its time, and so does a reader: peak shaving leaves a load on for its first minute.
      for (let times = 1; wrong.length > 0 && READS.test(command) && times < MOST_READS; times += 1) {
        await sleep(BETWEEN_READS_MS)
        wrong = await run()
      }
      problems.push(...wrong.map((text) => `${block.source}:${block.line}: ${command.trim()}\n${text}`))
    }
  }
  return problems
}

function prepare(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'tmp'))
  symlinkSync(PLANTROOM, join(folder, 'plantroom'))
  symlinkSync(PLANTROOM, join(folder, 'bin/plantroom'))
  // An answer with an error must not look like success.
  const curl = join(folder, 'bin/curl')
  writeFileSync(curl, `#!/bin/sh\nPATH='${process.env.PATH}' exec curl --fail-with-body "$@"\n`)
  chmodSync(curl, 0o755)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Fills in the ids that a page leaves open: those that its commands printed before, or those of the demo. */
function createIds(file: DemoJson) {
  const inverter = file.connections.find(({ name }) => name === 'Inverter')
  const latest = new Map([
    ['org', file.orgId],
    ['site', file.propertyId],
    ['dev', file.deviceId],
    ['plr', file.apiKey],
    ['con', inverter?.id ?? ''],
    ['dp', inverter?.datapoints.find(({ name }) => name === 'Charge power')?.id ?? ''],
  ])
  return {
    learn(output: string): void {
      for (const [id, prefix = ''] of output.matchAll(/\b(org|site|dev|ovr|dsp|wh|key|plr)_[\w-]{8,}/g)) {
        // A list names the most important one first.
        if (!output.slice(0, output.indexOf(id)).includes(` ${prefix}_`)) latest.set(prefix, id)
      }
    },
    fill(command: string): string {
      return command
        .replace(
          /\b(org|site|dev|con|dp|ovr|dsp|wh|key|plr)_(?:\w*…|\w{12,}|elsewhere\b)/g,
          (whole, prefix) => latest.get(prefix) ?? whole,
        )
        .replaceAll(/http:\/\/127\.0\.0\.1:8080|https:\/\/plantroom\.example\.com/g, file.baseUrl)
        .replaceAll(/\bCONNECTION\b(?==)|(?<!\$)\bCONNECTION\b/g, (word, at: number, text: string) =>
          text[at + word.length] === '=' ? word : 'Inverter',
        )
        .replaceAll(/\bkill -9 (?:PID|\d+)/g, `kill -9 ${file.pids.edge}`)
    },
  }
}
