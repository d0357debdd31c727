import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPresence } from './presence.ts'

function start() {
  const gone: string[] = []
  const presence = createPresence((deviceId) => gone.push(deviceId))
  const says = (deviceId: string, online: boolean, link: string) =>
    presence.heard(deviceId, Buffer.from(JSON.stringify({ online, link })))
  return { presence, gone, says }
}

describe('a device', () => {
  test('is there from its first word on', () => {
    const { presence, says } = start()
    expect(presence.isOnline('dev')).toBe(false)
    says('dev', true, 'link-1')
    expect(presence.isOnline('dev')).toBe(true)
    expect(presence.isOnline('other')).toBe(false)
    expect(presence.onlineCount).toBe(1)
  })

  test('is gone with its last will', () => {
    const { presence, gone, says } = start()
    says('dev', true, 'link-1')
    says('dev', false, 'link-1')
    expect(presence.isOnline('dev')).toBe(false)
    expect(gone).toEqual(['dev'])
    expect(presence.onlineCount).toBe(0)
  })

  test('that says the same again is as it was', () => {
    const { presence, gone, says } = start()
    for (let times = 0; times < 3; times += 1) says('dev', true, 'link-1')
    expect(presence.onlineCount).toBe(1)
    for (let times = 0; times < 3; times += 1) says('dev', false, 'link-1')
    expect(gone).toEqual(['dev'])
  })

  test('that was never there is not gone', () => {
    const { gone, says } = start()
    says('dev', false, 'link-1')
    expect(gone).toEqual([])
  })
})

describe('a device that is back on a new link', () => {
  test('stays when the will of the old link comes late', () => {
    const { presence, says } = start()
    says('dev', true, 'link-1')
    says('dev', true, 'link-2')
    says('dev', false, 'link-1')
    expect(presence.isOnline('dev')).toBe(true)
    says('dev', false, 'link-2')
    expect(presence.isOnline('dev')).toBe(false)
  })

  test('will not answer what was asked on the old one: nobody has to wait for that', () => {
    const { gone, says } = start()
    says('dev', true, 'link-1')
    says('dev', true, 'link-2')
    expect(gone).toEqual(['dev'])
    says('dev', false, 'link-1')
    expect(gone).toEqual(['dev'])
  })
})

describe('when the broker is gone', () => {
  test('nothing is known any more, until devices say it again', () => {
    const { presence, gone, says } = start()
    says('a', true, 'link-a')
    says('b', true, 'link-b')
    presence.forgetAll()
    expect(gone).toEqual(['a', 'b'])
    expect([presence.isOnline('a'), presence.isOnline('b'), presence.onlineCount]).toEqual([false, false, 0])
    says('a', true, 'link-a')
    expect(presence.isOnline('a')).toBe(true)
  })
})

describe('a status that is none', () => {
  test.each([
    '',
    'null',
    '7',
    '"online"',
    '[]',
    '{}',
    '{"online":true}',
    '{"link":"a"}',
    '{"online":1,"link":"a"}',
    '{"online":true,"link":7}',
    '{"online":true,',
  ])('changes nothing: %s', (text) => {
    const { presence, gone, says } = start()
    presence.heard('new', Buffer.from(text))
    expect(presence.isOnline('new')).toBe(false)
    says('dev', true, 'a')
    presence.heard('dev', Buffer.from(text))
    expect(presence.isOnline('dev')).toBe(true)
    expect(gone).toEqual([])
  })

  test('changes nothing: any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { presence } = start()
        presence.heard('dev', Buffer.from(bytes))
        expect(presence.isOnline('dev')).toBe(false)
      }),
    )
  })
})

describe('whatever devices say, in whatever order', () => {
  const words = fc.array(
    fc.record({ deviceId: fc.constantFrom('a', 'b'), online: fc.boolean(), link: fc.constantFrom('1', '2', '3') }),
  )

  test('a device is there exactly when its latest link has not ended', () => {
    fc.assert(
      fc.property(words, (said) => {
        const { presence, says } = start()
        const up = new Map<string, string>()
        for (const { deviceId, online, link } of said) {
          says(deviceId, online, link)
          if (online) up.set(deviceId, link)
          else if (up.get(deviceId) === link) up.delete(deviceId)
          expect([presence.isOnline('a'), presence.isOnline('b')]).toEqual([up.has('a'), up.has('b')])
          expect(presence.onlineCount).toBe(up.size)
        }
      }),
    )
  })
})
