import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../environment.ts'

/** A block of commands in the documentation. */
export interface Block {
  source: string
  line: number
  language: string
  text: string
  /** Why no test runs it; `undefined` if one does. */
  notRun: string | undefined
}

/** One step of a block: a command with the output that the page shows, or a whole script. */
export interface Step {
  command: string
  output: readonly string[]
}

const NOT_RUN = /^\s*<!-- not run: (\S.*) -->\s*$/

/** Pages whose commands are for users. Decisions and the changelog tell of the past. */
export const PAGES = [
  'README.md',
  ...globSync('docs/{*,{tutorial,how-to,reference,explanation}/**/*}.md', { cwd: ROOT }).sort(),
]
/** Commands for developers, which the suite only parses. */
export const DEVELOPER_PAGES = ['CONTRIBUTING.md']

/** Returns all fenced blocks of a page. */
export function blocksOf(source: string): Block[] {
  const lines = readFileSync(join(ROOT, source), 'utf8').split('\n')
  const blocks: Block[] = []
  let open: { indent: number; block: Block } | undefined
  let before = ''
  lines.forEach((line, index) => {
    const fence = /^( *)```(\S*)/.exec(line)
    if (open) {
      if (fence) {
        blocks.push(open.block)
        open = undefined
      } else open.block.text += `${line.slice(open.indent)}\n`
    } else if (fence) {
      const [, indent = '', language = ''] = fence
      const notRun = NOT_RUN.exec(before)?.[1]
      open = { indent: indent.length, block: { source, line: index + 1, language, text: '', notRun } }
    }
    if (line.trim() !== '') before = line
  })
  return blocks
}

/** True for blocks that a reader types. */
export const isTyped = ({ language }: Block) => language === 'sh' || language === 'console'

/** Returns what to run. A transcript (`console`) has a command after each `$`, and its output below. */
export function stepsOf({ text }: Block): Step[] {
  const lines = text.trimEnd().split('\n')
  if (!lines.some((line) => line.startsWith('$ '))) {
    // One command per line, if there is nothing else: a command may need the id that the one before printed.
    const isList = lines.every(
      (line) => /^(\.\/)?(plantroom|export|kill|curl|fleet) ./.test(line) && !/\\$|\{$/.test(line),
    )
    return (isList ? lines : [text]).map((command) => ({ command, output: [] }))
  }
  const steps: { command: string; output: string[] }[] = []
  let continues = false
  for (const line of lines) {
    const last = steps.at(-1)
    if (continues && last) last.command += `\n${line}`
    else if (line.startsWith('$ ')) steps.push({ command: line.slice(2), output: [] })
    else last?.output.push(line)
    continues = line.endsWith('\\') && (continues || line.startsWith('$ '))
  }
  return steps
}

/** Returns the `plantroom` commands of a block, each as a list of arguments. Pipes and comments end a command. */
export function commandsOf(block: Block): string[][] {
  return stepsOf(block).flatMap(({ command }) =>
    command
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap((line) => {
        const start = /(?:^|[|;&(] *|\s)(?:npx )?(?:\.\/)?plantroom (?=[a-z-])/.exec(line)
        return start && !/^\s*(#|npm )/.test(line) ? [words(line.slice(start.index + start[0].length))] : []
      }),
  )
}

function words(text: string): string[] {
  const found: string[] = []
  for (const [, single, double, plain] of text.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)) {
    if (plain !== undefined && /^[|;&#<>)]/.test(plain)) break
    // A command in $(…) ends with the parenthesis.
    found.push(single ?? double ?? plain?.replace(/\)$/, '') ?? '')
    if (plain?.endsWith(')')) break
  }
  return found
}
