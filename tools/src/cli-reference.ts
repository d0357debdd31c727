import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

interface Option {
  term: string
  about: string
  choices: string[]
}

interface Verb {
  synopsis: string
  talksToService: boolean
  about: string
  arguments: { name: string; about?: string; choices?: string[] }[]
  options: Option[]
  json: string | null
  examples: string[]
}

/** What `plantroom help --json` prints. */
interface CliReference {
  groups: Record<string, string>
  common: Option[]
  commands: Record<string, { group: string; about: string; verbs: Record<string, Verb> }>
}

/** Asks the command line what a person can type. A process of its own: tools import no other package. */
export async function readCliReference(root: string): Promise<CliReference> {
  const program = join(root, 'packages/cli/src/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'help', '--json'], { maxBuffer: 1e8 })
  return JSON.parse(stdout) as CliReference
}

/** The generated parts of the reference of the command line, by name. */
export function cliTables({ groups, common, commands }: CliReference): Record<string, () => string> {
  return {
    'cli-commands': () =>
      table(
        ['command', 'does'],
        Object.keys(groups).flatMap((group) =>
          Object.entries(commands)
            .filter(([, command]) => command.group === group)
            .map(([name, { about }]) => [`[\`${name}\`](#plantroom-${name})`, about]),
        ),
      ),
    'cli-common': () => optionTable(common),
    'cli-all': () =>
      Object.entries(groups)
        .flatMap(([group]) =>
          Object.entries(commands)
            .filter(([, command]) => command.group === group)
            .map(([name, { verbs }]) => [`### plantroom ${name}`, ...Object.values(verbs).map(verbText)].join('\n\n')),
        )
        .join('\n\n'),
  }
}

function verbText({ synopsis, about, arguments: expected, options, json, examples }: Verb): string {
  const meaning = about === '' ? '' : `\n\n${about.slice(0, 1).toUpperCase()}${about.slice(1)}.`
  const described = expected
    .filter((each) => each.about !== undefined || each.choices !== undefined)
    .map(({ name, about: text = '', choices = [] }) => ({ term: name, about: text, choices }))
  const rows = [...described, ...options]
  const result = json === null ? '' : ` With \`--json\`: ${quoted(json)}.`
  const lines = examples.map((line) => `\n\n\`\`\`sh\n${line}\n\`\`\``).join('')
  const options_ = rows.length === 0 ? '' : `\n\n${optionTable(rows)}`
  return `\`${synopsis}\`${meaning}${result}${options_}${lines}`
}

/** Shapes in braces become code; a sentence stays one. */
const quoted = (json: string) => json.replaceAll(/[[{][^;]*[\]}]/g, (shape) => `\`${shape}\``)

function optionTable(options: readonly Option[]): string {
  const rows = options.map(({ term, about, choices }) => {
    const values = choices.map((choice) => `\`${choice}\``).join(', ')
    return [`\`${term}\``, [about, values].filter((text) => text !== '').join(': ')]
  })
  return table(['option', 'meaning'], rows)
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
