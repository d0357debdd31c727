import { cases } from '@plantroom/testkit/repetitions'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createManifestScanner } from '../manifest/scanner.ts'
import { manifestSchema } from '../manifest/schema.ts'
import { createManifestChecker } from './checker.ts'
import { isDateTime } from './follows-schema.ts'
import type { Problem } from './problems.ts'
import { FILES, manifests, mistakenManifests } from './testing/manifests.ts'
import { packageWith } from './testing/package-with.ts'

const find = packageWith(FILES)
const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, formats: { 'date-time': isDateTime } })
const schemaTakes = ajv.compile(manifestSchema)

const BEYOND_THE_SCHEMA = [
  'duplicate externalId',
  'is not in the package',
  'is used twice',
  'must not hold the character U+0000',
  'must be well-formed Unicode',
]
const ABOUT_A_WHOLE = [
  'must have an email, a name or a phone',
  'must not be blank unless the comment has an attachment',
]
const isOfSchema = ({ rule }: Problem) => !BEYOND_THE_SCHEMA.includes(rule)

function problemsOf(text: string): readonly Problem[] {
  const checker = createManifestChecker(find)
  const scanner = createManifestScanner(checker)
  scanner.push(Buffer.from(text))
  scanner.end()
  return checker.findings().problems
}

describe('for any manifest, the checker', () => {
  test('finds no schema problem if and only if the schema accepts it', () => {
    const takenAtAll = new Set<boolean>()
    fc.assert(
      fc.property(mistakenManifests, (text) => {
        const isTaken = schemaTakes(JSON.parse(text))
        takenAtAll.add(isTaken)
        expect(problemsOf(text).filter(isOfSchema).length === 0).toBe(isTaken)
      }),
      cases(200),
    )
    expect(takenAtAll.size).toBe(2)
  })

  test('reports a problem wherever the schema sees an error, and nowhere else', () => {
    fc.assert(
      fc.property(mistakenManifests, (text) => {
        schemaTakes(JSON.parse(text))
        const seen = (schemaTakes.errors ?? []).filter(({ schemaPath }) => !schemaPath.includes('/anyOf'))
        const reported = problemsOf(text).filter(
          (problem) => isOfSchema(problem) && !ABOUT_A_WHOLE.includes(problem.rule),
        )
        expect(new Set(reported.map(({ path }) => path))).toEqual(
          new Set(seen.map(({ instancePath }) => pathOf(instancePath))),
        )
        const aboutFields = seen.filter(({ keyword }) => keyword === 'required' || keyword === 'additionalProperties')
        expect(reported.filter(({ rule }) => / (required|unknown) field /.test(rule)).length).toBe(aboutFields.length)
      }),
      cases(200),
    )
  })

  test('reports problems in document order, one per value', () => {
    fc.assert(
      fc.property(mistakenManifests, (text) => {
        const problems = problemsOf(text)
        const places = placesOf(JSON.parse(text))
        const ranks = problems.map(({ path }) => places.indexOf(path.replace(/^(.*\d\])\.name$/, nameOrPath)))
        expect(ranks).not.toContain(-1)
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
        expect(new Set(problems.map(({ message }) => message)).size).toBe(problems.length)

        // A default attachment name comes from the path, so it is reported there.
        function nameOrPath(path: string, attachment: string): string {
          return places.includes(path) ? path : `${attachment}.path`
        }
      }),
      cases(200),
    )
  })

  test('applies the rules that a schema cannot express', () => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        const messages = problemsOf(JSON.stringify(manifest)).map(({ path, rule }) => `${path} ${rule}`)
        expect(messages.toSorted()).toEqual(brokenRules(manifest as Manifest).toSorted())
      }),
      cases(200),
    )
  })
})

interface Attachment {
  path: string
  name?: string
}
interface Manifest {
  tickets: { externalId: string; attachments?: Attachment[]; comments?: { attachments?: Attachment[] }[] }[]
}

/** A second, naive implementation of those rules. */
function brokenRules({ tickets }: Manifest): string[] {
  return tickets.flatMap(({ externalId, attachments = [], comments = [] }, index) => {
    const isDuplicate = tickets.slice(0, index).some((earlier) => earlier.externalId === externalId)
    return [
      ...(isDuplicate ? [`tickets[${index}] duplicate externalId`] : []),
      ...usedTwice(attachments, `tickets[${index}]`),
      ...comments.flatMap((comment, at) => usedTwice(comment.attachments ?? [], `tickets[${index}].comments[${at}]`)),
    ]
  })
}

function usedTwice(attachments: Attachment[], path: string): string[] {
  const names = attachments.map(({ path, name }) => (name ?? path.split('/').at(-1) ?? '').normalize('NFC'))
  return names.flatMap((name, index) =>
    names.indexOf(name) < index ? [`${path}.attachments[${index}].name is used twice`] : [],
  )
}

/** Converts `/tickets/0/title` to the notation of messages. */
function pathOf(pointer: string): string {
  const path = pointer.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')
  return path === '' ? 'manifest' : path.slice(1)
}

/** Every path of a document in order: an object before its fields. */
function placesOf(root: unknown): string[] {
  const places = ['manifest']
  function visit(value: unknown, path: string): void {
    if (path !== '') places.push(path)
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, `${path}[${index}]`)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(item, path === '' ? name : `${path}.${name}`)
    }
  }
  visit(root, '')
  return places
}
