import type { MissingKind } from '@plantroom/contract/jobs'
import type { ManifestAttachment } from '@plantroom/fpl/manifest'
import type { ManifestRequest } from '@plantroom/fpl/read-requests'
import { createRandom } from '@plantroom/fpl/testing/random'

interface RandomPackage {
  tickets: ManifestRequest[]
  files: Record<string, string>
  /** What the site has before the import. */
  site: { people: string[]; members: string[]; units: string[]; tags: string[]; tickets: string[] }
  /** What becomes of names that the site lacks. Maps lead to names of the site; undefined for no choice. */
  choices: Readonly<Record<MissingKind, RandomChoice>> | undefined
}

interface RandomChoice {
  create?: boolean
  map: Readonly<Record<string, string>>
  leave: readonly string[]
}

const STATES = ['new', 'open', 'in_progress', 'on_hold', 'resolved', 'closed', 'canceled'] as const
const PEOPLE = ['a@example.com', 'b@example.com', 'Õ@example.com', 'd@example.com', 'e@example.com']
const UNITS = ['Room 1', 'room 1', 'Köök', 'Cellar']
const TAGS = ['heating', 'Heating', 'väljas', 'urgent', 'water']

/** Generates a valid package and a site that has some of its people, units and tags. */
export function randomPackage(seed: number): RandomPackage {
  const random = createRandom(seed)
  const some = <Value>(values: readonly Value[]) => values.filter(() => random(2) === 0)
  const one = <Value>(values: readonly Value[]) => values[random(values.length)] as Value
  const maybe = <Value>(value: () => Value) => (random(3) === 0 ? null : value())
  const spelt = (text: string) => one([text, text, text.toUpperCase()])
  const padded = (text: string) => one([text, ` ${text}`, `${text}\t`])
  const files: Record<string, string> = {}
  for (let index = random(6); index > 0; index -= 1) files[`attachments/${index}.txt`] = 'x'.repeat(random(5))

  const attachments = (): ManifestAttachment[] => some(Object.keys(files)).map((path) => ({ path }))
  const person = () => ({ email: spelt(one(PEOPLE)), name: one([null, 'Name']) })
  const ids = Array.from({ length: random(12) }, (_, index) => `T-${index}`)
  const tickets = ids.map((externalId): ManifestRequest => {
    const time = () => maybe(() => new Date(random(2 ** 31) * 1000).toISOString())
    return {
      externalId,
      title: 'Title',
      state: one(STATES),
      reporter: maybe(person),
      assignee: maybe(() => spelt(one(PEOPLE))),
      supervisor: maybe(() => spelt(one(PEOPLE))),
      watchers: some([...PEOPLE, ...PEOPLE]).map(spelt),
      unit: maybe(() => padded(one([...UNITS, '']))),
      tags: some([...TAGS, ...TAGS]).map(padded),
      createdAt: time(),
      stateChangedAt: time(),
      attachments: attachments(),
      comments: Array.from({ length: random(4) }, () => ({
        content: 'Comment',
        author: maybe(person),
        attachments: attachments(),
      })),
    }
  })
  const [people, units, tags] = [some(PEOPLE), some(UNITS), some(TAGS)]
  const members = some(PEOPLE).map((email) => email.toLowerCase())
  const choice = (all: readonly string[], there: readonly string[]): RandomChoice => ({
    ...(random(3) > 0 && { create: random(2) === 0 }),
    map: there.length === 0 ? {} : Object.fromEntries(some(some(all)).map((name) => [spelt(name), one(there)])),
    leave: some(some(all)).map(padded),
  })
  const choices = { units: choice(UNITS, units), people: choice(PEOPLE, people), tags: choice(TAGS, tags) }
  return {
    tickets,
    files,
    site: { people, members, units, tags, tickets: some([...ids, 'other']) },
    choices: random(3) === 0 ? undefined : choices,
  }
}
