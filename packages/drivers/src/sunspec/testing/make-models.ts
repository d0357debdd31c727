import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes `models.ts` from a copy of https://github.com/sunspec/models: `node make-models.ts FOLDER COMMIT`, where FOLDER has
 * the files `model_*.json`. To support another model, add its number and run this again.
 */
const MODELS = [
  ...[1, 101, 102, 103, 111, 112, 113, 120, 121, 122, 123, 124, 160, 201, 202, 203, 204, 211, 212, 213, 214],
  ...[701, 702, 703, 704, 705, 706, 707, 708, 709, 710, 711, 712, 713, 714, 802, 803, 804],
]

const WIDTH = 118

interface Point {
  name: string
  type: string
  size: number
  sf?: string | number
  units?: string
  access?: string
  symbols?: readonly { name: string; value: number }[]
}

interface Group {
  name: string
  count?: number | string
  points: readonly Point[]
  groups?: readonly Group[]
}

/** Returns for example `WSet=int32*WSet_SF[W]!`. */
function pointText({ name, type, size, sf, units, access, symbols = [] }: Point): string {
  const scale = sf === undefined ? '' : `*${sf}`
  const unit = units ? `[${units.replaceAll(' ', '')}]` : ''
  const states = type.startsWith('enum')
    ? symbols.map((symbol) => `${symbol.value}:${symbol.name.replaceAll(' ', '_')}`).join()
    : ''
  return `${name}=${type === 'string' ? `string/${size}` : type}${scale}${unit}${access === 'RW' ? '!' : ''}${states && `{${states}}`}`
}

function groupLines({ name, count = 1, points, groups = [] }: Group, depth: number): readonly string[] {
  const lines = [depth === 0 ? '' : `${'>'.repeat(depth)} ${name}${count === 1 ? '' : ` ${count}`}`]
  let line = ''
  for (const word of points.map(pointText)) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line)
      line = ''
    }
    line += line === '' ? word : ` ${word}`
  }
  return [...lines.filter((text) => text !== ''), line, ...groups.flatMap((group) => groupLines(group, depth + 1))]
}

const [folder = '.', commit = ''] = process.argv.slice(2)
/** The names of the models by their content: some differ only in the number. */
const models = new Map<string, string[]>()
for (const id of MODELS) {
  const { group } = JSON.parse(await readFile(join(folder, `model_${id}.json`), 'utf8')) as { group: Group }
  const text = groupLines(group, 0).join('\n')
  models.set(text, [...(models.get(text) ?? []), `${id} ${group.name}`])
}
const lines = [...models].map(([text, names]) => `# ${names.join(', ')}\n${text}`)

await writeFile(
  new URL('../models.ts', import.meta.url),
  `/**
 * The models of SunSpec that we know, from https://github.com/sunspec/models at ${commit},
 * which is published under the Apache License 2.0. Changed: only what the driver needs, in the notation that
 * \`definitions.ts\` reads. Made by \`testing/make-models.ts\`.
 */
export const MODELS = \`
${lines.join('\n')}
\`
`,
)
