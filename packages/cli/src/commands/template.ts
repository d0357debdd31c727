import { readTemplate, readTemplateFile, TEMPLATES, templateNames } from '@plantroom/base/template-folder'
import { lineOf } from '@plantroom/contract/commissioning'
import { PROTOCOL_LABELS } from '@plantroom/contract/protocols'
import { read } from '@plantroom/contract/read'
import {
  questionsOf,
  summaryOf,
  Template,
  type TemplateQuestion,
  templateProblems,
} from '@plantroom/contract/templates'
import { COMMON_FLAGS, ReportedFailure } from '../command.ts'
import { command, verb } from '../declare.ts'
import { details, print, printable, table } from '../output.ts'
import { nearest, similarNames } from '../suggest.ts'

const { json } = COMMON_FLAGS

export const template = command('template', {
  group: 'administer',
  about: 'list, show and check equipment templates',
  notes: `A template becomes a commissioning file with plantroom commission --from-template NAME --set KEY=VALUE.`,
  verbs: {
    list: verb({
      about: 'list the templates of this installation',
      options: { json },
      json: '[{name, title, maker, model, family, protocols, datapoints, writable, tried}]',
      async run(flags) {
        const names = await templateNames()
        const found = await Promise.all(names.map(async (name) => summaryOf(await loadTemplate(name))))
        const header = ['NAME', 'EQUIPMENT', 'PROTOCOLS', 'DATAPOINTS', 'WRITABLE', 'TRIED ON']
        print(flags.json, found, () =>
          table(
            header,
            found.map(({ name, title, protocols, datapoints, writable, tried }) => [
              ...[name, title, protocols.join(', ')],
              ...[String(datapoints), String(writable), tried],
            ]),
            `there are no templates in ${TEMPLATES}`,
          ),
        )
      },
    }),
    show: verb({
      about: 'show what a template asks, reads and sets, and where it comes from',
      arguments: [{ name: 'NAME' }],
      options: { json },
      json: 'the template',
      async run(flags, { NAME }) {
        const found = await loadTemplate(NAME)
        print(flags.json, found, () => describeTemplate(found))
      },
    }),
    check: verb({
      about: 'check a template, and print every mistake and what to do; exits with 1 if there are any',
      arguments: [{ name: 'FILE', completes: 'file' }],
      options: { json },
      json: '{file, valid, problems: [{path, message}]}',
      async run(flags, { FILE }) {
        const { content, source, lines } = await readTemplateFile(FILE)
        const ofFile = templateProblems(content)
        const problems = ofFile.length > 0 ? ofFile : await addressProblems(read(Template, content))
        const valid = problems.length === 0
        print(flags.json, { file: FILE, valid, problems }, () =>
          valid
            ? `${FILE} is a valid template`
            : problems
                .map(({ path, message }) => {
                  const line = lineOf(source, lines, path)
                  return printable([line && `line ${line}`, path, message].filter(Boolean).join(': '))
                })
                .join('\n'),
        )
        if (!valid) throw new ReportedFailure()
      },
    }),
  },
})

/** Returns a template of this installation. An unknown name is an error that suggests others. */
export async function loadTemplate(name: string): Promise<Template> {
  const names = await templateNames()
  if (!names.includes(name)) {
    throw new Error(
      `there is no template ${printable(name)}${similarNames(nearest(name, names))}; see plantroom template list`,
    )
  }
  return read(Template, await readTemplate(name))
}

async function addressProblems(checked: Template) {
  // No other command needs the drivers.
  const { templateAddressProblems } = await import('@plantroom/drivers/template-problems')
  return templateAddressProblems(checked)
}

function describeTemplate(found: Template): string {
  const { title, maker, model, about, protocols, datapoints, notes = [], tried, sources } = found
  const questions = new Map(
    protocols.flatMap(({ protocol }) => questionsOf(found, protocol)).map((question) => [question.key, question]),
  )
  return [
    details([
      ['title', title],
      ['maker', maker],
      ['model', model],
      ...(about === undefined ? [] : ([['about', about]] as const)),
      ['protocols', protocols.map(({ protocol }) => PROTOCOL_LABELS[protocol]).join(', ')],
      ['tried on', tried],
    ]),
    table(
      ['--set', 'QUESTION', 'ANSWER'],
      Array.from(questions.values(), (question) => [question.key, question.question, describeAnswer(question)]),
      'no questions',
    ),
    table(
      ['DATAPOINT', 'ACCESS', 'UNIT', 'RELEASE'],
      datapoints.map(({ name, accessType, unit = '', release = '' }) => [name, accessType, unit, release]),
      'no datapoints',
    ),
    ...(notes.length > 0 ? [notes.map((note) => `- ${printable(note)}`).join('\n')] : []),
    sources.map((source) => printable(`source: ${source.title} ${source.url}`)).join('\n'),
  ].join('\n\n')
}

function describeAnswer({ type, choices, min, max, default: usual, example, optional }: TemplateQuestion): string {
  return [
    choices ? choices.join(' | ') : type,
    min !== undefined && `from ${min}`,
    max !== undefined && `to ${max}`,
    usual !== undefined && `(${usual})`,
    usual === undefined && example !== undefined && `for example ${example}`,
    optional && 'optional',
  ]
    .filter(Boolean)
    .join(' ')
}
