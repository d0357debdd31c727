import { describe, expect, test } from 'vitest'
import { openVtn } from './vtn.ts'

const answering = (body: string) =>
  openVtn(
    { baseUrl: 'https://vtn.example', version: '3.1' },
    { now: () => 0, send: async () => ({ status: 200, headers: {}, body }) },
  )

test.each([
  ['an object without an id', (deep: string) => `[${deep},{"id":"b","programID":"p"}]`],
  ['a page that comes again and again', (deep: string) => `[{"id":"a","x":${deep}},{"id":"b","programID":"p"}]`],
])('%s that is nested too deeply hides no other one', async (_name, list) => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const { items, unreadable } = await answering(list(deep)).events('p')
  expect(items).toMatchObject([{ id: 'b' }])
  expect(unreadable).toHaveLength(1)
})

describe('a VTN for one purpose', () => {
  const endless = (paceMs: number, more: object = {}) => {
    let [now, pages] = [0, 0]
    const vtn = openVtn(
      { baseUrl: 'https://vtn.example', version: '3.1' },
      {
        now: () => now,
        async send() {
          now += paceMs
          pages += 1
          const page = [0, 1].map((index) => ({ id: `event-${pages + index}`, ...more }))
          return { status: 200, headers: {}, body: JSON.stringify(page) }
        },
      },
    )
    return { vtn, pages: () => pages }
  }

  test('that never comes to an end is given up in time', async () => {
    const { vtn, pages } = endless(20_000)
    await expect(vtn.within(60_000).events('p')).rejects.toMatchObject({ kind: 'unreachable' })
    expect(pages()).toBe(4)
    // What is asked for another purpose has its own time.
    await expect(vtn.within(60_000).events('p')).rejects.toMatchObject({ kind: 'unreachable' })
    expect(pages()).toBe(8)
  })

  test('is read to a bounded size', async () => {
    const { vtn, pages } = endless(0, { name: 'x'.repeat(1024 * 1024) })
    await expect(vtn.within(60_000).events('p')).rejects.toMatchObject({ kind: 'too-large' })
    expect(pages()).toBeLessThan(40)
  })
})

test('pages beyond a bounded size are not remembered', async () => {
  const conditional: boolean[] = []
  const item = { id: 'event', name: 'x'.repeat(1_500_000) }
  const vtn = openVtn(
    { baseUrl: 'https://vtn.example', version: '3.1' },
    {
      now: () => 0,
      async send({ url, headers }) {
        conditional.push('if-none-match' in headers)
        const skip = Number(new URL(url).searchParams.get('skip'))
        const page = [{ ...item, id: `event-${skip}` }, ...(skip < 2 ? [{ ...item, id: `event-${skip + 1}` }] : [])]
        return { status: 200, headers: { etag: `"${skip}"` }, body: JSON.stringify(skip > 2 ? [] : page) }
      },
    },
  )
  await vtn.events('p')
  conditional.length = 0
  await vtn.events('p')
  // The pages with two objects are too long.
  expect(conditional).toEqual([false, false, true])
})
