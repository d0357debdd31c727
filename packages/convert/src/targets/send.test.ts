import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { cases, isCampaign } from '@plantroom/testkit/repetitions'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyzeSource, convertSource } from '../convert.ts'
import { SOURCES } from '../sources/index.ts'
import { ticketsIn } from '../testing/converted.ts'
import { documentedCommands } from '../testing/recording.ts'
import { exported, packageOf } from './testing/exported.ts'
import { rtSystem } from './testing/rt-system.ts'
import { canSend, type Interruption, sendTo } from './testing/sending.ts'
import { zammadSystem } from './testing/zammad-system.ts'

const PHOTO = 'attachments/photo.jpg'
const FILES = { [PHOTO]: 'not really a photo', 'attachments/empty.txt': '' }
/** Each would run a command, read a file or end a text, if the script used it as anything but a text. */
const ATTACKS = [
  '@/etc/passwd $(touch pwned) `touch pwned`',
  `-o pwned '; touch pwned #"; touch pwned; "`,
  '0',
] as const
const [READS, RUNS, ZERO] = ATTACKS
const HOSTILE: ManifestTicket[] = [
  {
    ...{ externalId: `${RUNS} 1`, title: READS, state: 'new', notes: RUNS },
    description: ATTACKS.map((text) => `${text}\n\\n ✓ %s ${text}`).join('\n'),
    reporter: { name: RUNS, email: 'mari@example.ee' },
    attachments: [{ path: PHOTO, name: `a/${READS}` }],
    comments: [
      { content: READS, attachments: [{ path: 'attachments/empty.txt', name: RUNS }] },
      { content: RUNS },
      { content: ZERO },
    ],
  },
]
const ORDINARY: ManifestTicket[] = [
  {
    ...{ externalId: 'WO-1', title: 'Küte', state: 'resolved', priority: 2, createdAt: '2026-01-02T10:00:00+02:00' },
    ...{ resolvedAt: '2026-01-03T10:00:00Z', ccEmails: ['naaber@example.ee', 'rt@example.com'] },
    reporter: { name: 'Mägi, Mari', email: 'mari@example.ee' },
    attachments: [{ path: PHOTO, name: 'Ж õ.jpg', contentType: 'image/jpeg' }],
    comments: [
      { content: 'Tulen 👍' },
      { content: '[Internal] Võti valves' },
      { content: 'x', attachments: [{ path: PHOTO }] },
    ],
  },
  { externalId: '"2" \\ back', title: 'Door', state: 'on_hold', comments: [{ content: 'Waiting' }] },
]
const SYSTEMS = {
  rt: {
    create: rtSystem,
    variables: (address: string) => ({ RT: `${address}/`, TOKEN: 'secret', QUEUE: 'Maja/A' }),
  },
  zammad: {
    create: zammadSystem,
    variables: (address: string) => ({
      ...{ ZAMMAD: address, TOKEN: 'secret', GROUP: 'Users', CUSTOMER: 'nobody@example.com' },
    }),
  },
}
/** A request that needs few programs: starting them takes most of the time. */
const BRIEF: ManifestTicket[] = ORDINARY.map(({ externalId, title, state, attachments = [] }) => ({
  ...{ externalId, title, state, attachments },
  comments: [{ content: 'Done', attachments }],
}))
const TIMEOUT_MS = 300_000
const NAMES = ['rt', 'zammad'] as const

/** An export in a folder, and a system that its script sends it to. */
async function sending(name: (typeof NAMES)[number], tickets: readonly ManifestTicket[], options = {}) {
  const { folder } = await exported(name, await packageOf(tickets, FILES))
  const { create, variables } = SYSTEMS[name]
  const system = create(options)
  const send = (interruption?: Interruption, more = {}) =>
    sendTo(system.replyTo, folder, (address) => ({ ...variables(address), ...more }), interruption)
  return { folder, system, send, state: () => JSON.stringify(system.tickets) }
}

describe.skipIf(!canSend).each(NAMES)('the script for %s', (name) => {
  test('sends everything once, and a second run nothing', async () => {
    const { send, state, system } = await sending(name, ORDINARY)
    const first = await send()
    expect(first).toMatchObject({
      code: 0,
      stdout: 'request "WO-1" is ticket 1\nrequest "\\"2\\" \\\\ back" is ticket 2\n',
    })
    expect(system.tickets).toHaveLength(2)
    const before = state()
    expect(await send()).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(state()).toBe(before)
  })

  test('runs nothing that a request says, and sends every text as it is', async () => {
    const { send, state, folder } = await sending(name, HOSTILE)
    expect(await send()).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
    for (const text of ATTACKS) {
      expect(state()).toContain(JSON.stringify(text).slice(1, -1))
      expect(state()).not.toContain('root:x:')
    }
  })

  test.runIf(isCampaign)(
    'adds nothing twice and leaves nothing out, wherever a run ends early',
    { timeout: TIMEOUT_MS },
    async () => {
      const whole = await sending(name, BRIEF)
      const { requests } = await whole.send()
      const interruptions = fc.record<Interruption>({
        at: fc.integer({ min: 1, max: requests }),
        kind: fc.constantFrom('not taken', 'no reply', 'kill'),
      })
      await fc.assert(
        fc.asyncProperty(interruptions, async (interruption) => {
          const { send, state, system, folder } = await sending(name, BRIEF)
          const { code } = await send(interruption)
          expect(code).not.toBe(0)
          const again = await send()
          if (again.code !== 0) answerAsPerson(folder, again.stderr, system.tickets.length)
          expect(again.code === 0 || (await send()).code === 0).toBe(true)
          expect(state()).toBe(whole.state())
        }),
        cases(1),
      )
    },
  )

  test.runIf(isCampaign)('leaves out files that are too large, and lists them', async () => {
    const { send, state, folder } = await sending(name, [
      { externalId: 'WO-1', title: 'Küte', state: 'new', attachments: [{ path: PHOTO }] },
    ])
    truncateSync(join(folder, 'attachments/f1/photo.jpg'), 2 ** 31)
    const left = 'request "WO-1": attachments/f1/photo.jpg, 2147483648 bytes'
    expect(await send()).toMatchObject({ code: 0, stderr: expect.stringContaining(`not sent: ${left}`) })
    expect(readFileSync(join(folder, 'left.txt'), 'utf8')).toBe(`${left}\n`)
    expect(state()).not.toContain('FileContent')
  })

  test('says what is missing, and what the system refuses', async () => {
    const { send, folder } = await sending(name, ORDINARY)
    expect(await send(undefined, { TOKEN: '' })).toMatchObject({
      ...{ code: 1, requests: 0, stderr: 'set TOKEN: the first lines of send.sh show how\n' },
    })
    const refused = await send(undefined, { TOKEN: 'wrong' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^\w+ answered 401 to POST \w+: \{/) })
    rmSync(join(folder, 'attachments/f1/photo.jpg'))
    expect(await send()).toMatchObject({
      ...{ code: 1, stderr: 'attachments/f1/photo.jpg is missing; run this in the folder of the export\n' },
    })
  })
})

/** Does what the script asks of a person when only a person can find out whether a ticket was added. */
function answerAsPerson(folder: string, question: string, tickets: number): void {
  expect(question).toContain('an earlier run ended before Zammad answered')
  const file = join(folder, 'sending.txt')
  const sent = readFileSync(join(folder, 'sent.txt'), 'utf8').split('\n').length - 1
  if (tickets > sent) writeFileSync(file, readFileSync(file, 'utf8').replace('?', String(tickets)))
  else rmSync(file)
}

describe.skipIf(!canSend)('the script for rt', () => {
  test.runIf(isCampaign)('sends what our own converter reads back', async () => {
    const { send, folder, system } = await sending('rt', ORDINARY)
    expect((await send()).stderr).toBe('ticket 1: RT does not take "rt@example.com" as Cc\n')
    const page = join(import.meta.dirname, '../../../../docs/how-to/convert/rt.md')
    writeFileSync(join(folder, 'send.sh'), documentedCommands(page).join('\n'))
    const back = (address: string) => ({ RT: address, TOKEN: 'secret' })
    expect(await sendTo(system.replyTo, folder, back)).toMatchObject({ code: 0, stderr: '' })
    const inputs = ['tickets.json', 'users.json'].map((file) => join(folder, file))
    const output = join(temporaryFolder(), 'back.fpl')
    const { mapping } = await analyzeSource(SOURCES.rt, inputs)
    await convertSource({ kind: SOURCES.rt, inputs, mapping, output })
    const [first, second] = await ticketsIn(output)
    expect(first).toMatchObject({
      ...{ title: 'Küte', state: 'resolved', priority: 2, ccEmails: ['naaber@example.ee'] },
      reporter: { email: 'mari@example.ee' },
      attachments: [{ name: 'Ж õ.jpg', contentType: 'image/jpeg' }],
      comments: [
        { content: expect.stringMatching(/^\[Internal\] External id: WO-1\n.*CC emails:\nnaaber/s) },
        { content: 'Tulen 👍' },
        { content: '[Internal] Võti valves' },
        { content: 'x', attachments: [{ name: 'photo.jpg' }] },
      ],
    })
    expect(second).toMatchObject({ title: 'Door', state: 'on_hold', comments: [{}, { content: 'Waiting' }] })
  })

  test.runIf(isCampaign)('adds people last, and stops as soon as RT mails anybody', async () => {
    const { folder } = await exported('rt', await packageOf(ORDINARY, FILES))
    const attempt = (system: ReturnType<typeof rtSystem>, more = {}) =>
      sendTo(system.replyTo, folder, (address) => ({ ...SYSTEMS.rt.variables(address), ...more }))
    const watched = rtSystem({ queueWatchers: ['staff'] })
    expect((await attempt(watched)).stderr).toContain('RT mails the watchers of the queue Maja/A about every ticket')
    expect(watched.tickets).toEqual([])
    const mailing = rtSystem({ mails: true })
    expect((await attempt(mailing)).stderr).toContain('RT sent mail about ticket 1: see its history')
    expect(mailing.tickets).toMatchObject([{ history: [{ Type: 'Create' }, { Type: 'EmailRecord' }] }])
    expect(mailing.tickets[0]?.fields).not.toHaveProperty('Requestor')
    expect(await attempt(mailing, { MAIL: 'off' })).toMatchObject({ code: 0 })
  })

  test.runIf(isCampaign)(
    'finds what it sent in RT itself, and continues after more than a page of messages',
    async () => {
      const comments = Array.from({ length: 10 }, (_, index) => ({ content: `comment ${index}` }))
      const { send, folder, state, system } = await sending('rt', [{ ...ORDINARY[1], comments } as ManifestTicket], {
        largestPage: 8,
      })
      const historyOf = () => (system.tickets as ReturnType<typeof rtSystem>['tickets'])[0]?.history ?? []
      await send({ at: 16, kind: 'no reply' })
      expect(historyOf().length).toBeGreaterThan(8)
      await send()
      expect(historyOf().filter(({ Type }) => Type === 'Correspond')).toHaveLength(10)
      const before = state()
      rmSync(join(folder, 'sent.txt'))
      expect((await send()).stdout).toBe('request "\\"2\\" \\\\ back" is in RT already: ticket 1\n')
      expect(state()).toBe(before)
    },
  )
})
