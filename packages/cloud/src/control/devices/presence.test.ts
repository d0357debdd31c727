import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPresence } from './presence.ts'

function start() {
  const gone: string[] = []
  const presence = createPresence((deviceId) => gone.push(deviceId))
  const announce = (deviceId: string, online: boolean, link: string) =>
    presence.update(deviceId, Buffer.from(JSON.stringify({ online, link })))
  return { presence, gone, announce }
}

describe('a device', () => {
  test('is online after its first status', () => {
    const { presence, announce } = start()
    expect(presence.isOnline('dev')).toBe(false)
    announce('dev', true, 'link-1')
    expect(presence.isOnline('dev')).toBe(true)
    expect(presence.isOnline('other')).toBe(false)
    expect(presence.onlineCount).toBe(1)
  })

  test('is offline after its last will', () => {
    const { presence, gone, announce } = start()
    announce('dev', true, 'link-1')
    announce('dev', false, 'link-1')
    expect(presence.isOnline('dev')).toBe(false)
    expect(gone).toEqual(['dev'])
    expect(presence.onlineCount).toBe(0)
  })

  test('stays the same when it repeats its status', () => {
    const { presence, gone, announce } = start()
    for (let times = 0; times < 3; times += 1) announce('dev', true, 'link-1')
    expect(presence.onlineCount).toBe(1)
    for (let times = 0; times < 3; times += 1) announce('dev', false, 'link-1')
    expect(gone).toEqual(['dev'])
  })

  test('that was never online does not disconnect', () => {
    const { gone, announce } = start()
    announce('dev', false, 'link-1')
    expect(gone).toEqual([])
  })
})

describe('a device that reconnects', () => {
  test('stays online when the will of its old link arrives late', () => {
    const { presence, announce } = start()
    announce('dev', true, 'link-1')
    announce('dev', true, 'link-2')
    announce('dev', false, 'link-1')
    expect(presence.isOnline('dev')).toBe(true)
    announce('dev', false, 'link-2')
    expect(presence.isOnline('dev')).toBe(false)
  })

  test('ends its old link, so that commands sent on it fail', () => {
    const { gone, announce } = start()
    announce('dev', true, 'link-1')
    announce('dev', true, 'link-2')
    expect(gone).toEqual(['dev'])
    announce('dev', false, 'link-1')
    expect(gone).toEqual(['dev'])
  })
})

describe('when the connection to the broker is lost', () => {
  test('all devices are offline until they announce themselves again', () => {
    const { presence, gone, announce } = start()
    announce('a', true, 'link-a')
    announce('b', true, 'link-b')
    presence.forgetAll()
    expect(gone).toEqual(['a', 'b'])
    expect([presence.isOnline('a'), presence.isOnline('b'), presence.onlineCount]).toEqual([false, false, 0])
    announce('a', true, 'link-a')
    expect(presence.isOnline('a')).toBe(true)
  })
})

describe('an invalid status', () => {
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
    const { presence, gone, announce } = start()
    presence.update('new', Buffer.from(text))
    expect(presence.isOnline('new')).toBe(false)
    announce('dev', true, 'a')
    presence.update('dev', Buffer.from(text))
    expect(presence.isOnline('dev')).toBe(true)
    expect(gone).toEqual([])
  })

  test('changes nothing, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { presence } = start()
        presence.update('dev', Buffer.from(bytes))
        expect(presence.isOnline('dev')).toBe(false)
      }),
    )
  })
})

describe('a retained status', () => {
  const say = (online: boolean, link: string) => Buffer.from(JSON.stringify({ online, link }))

  test('counts for a device that said nothing itself', () => {
    const { presence } = start()
    expect(presence.update('dev', say(false, 'link-1'), true)).toBe('same')
    expect(presence.update('dev', say(true, 'link-1'), true)).toBe('changed')
    expect(presence.update('dev', say(true, 'link-1'), true)).toBe('same')
    expect(presence.isOnline('dev')).toBe(true)
  })

  test('is the last will that was missed', () => {
    const { presence, gone, announce } = start()
    announce('dev', true, 'link-1')
    expect(presence.update('dev', say(false, 'link-1'), true)).toBe('changed')
    expect([presence.isOnline('dev'), gone]).toEqual([false, ['dev']])
  })

  test.each([true, false])('of another link (online: %s) changes nothing and leaves a doubt', (online) => {
    const { presence, gone, announce } = start()
    announce('dev', true, 'link-2')
    expect(presence.update('dev', say(online, 'link-1'), true)).toBe('in doubt')
    expect([presence.isOnline('dev'), gone]).toEqual([true, []])
  })

  test('does not bring back a device that does not answer; its own word and a new link do', () => {
    const { presence, gone, announce } = start()
    announce('dev', true, 'link-1')
    presence.silence('dev')
    presence.silence('other')
    expect(gone).toEqual(['dev'])
    expect(presence.update('dev', say(true, 'link-1'), true)).toBe('same')
    expect(presence.isOnline('dev')).toBe(false)
    announce('dev', true, 'link-1')
    expect(presence.isOnline('dev')).toBe(true)
    presence.silence('dev')
    expect(presence.update('dev', say(true, 'link-2'), true)).toBe('changed')
  })
})

describe('a device that answers', () => {
  test('is online on the link that was silent, until the will of that link', () => {
    const { presence, announce } = start()
    announce('dev', true, 'link-1')
    presence.silence('dev')
    presence.answered('dev')
    announce('dev', false, 'link-0')
    expect(presence.isOnline('dev')).toBe(true)
    announce('dev', false, 'link-1')
    expect(presence.isOnline('dev')).toBe(false)
  })

  test('on an unknown link is online until any will, and keeps its commands when it says its link', () => {
    const { presence, gone, announce } = start()
    presence.answered('dev')
    announce('dev', true, 'link-1')
    expect([presence.isOnline('dev'), gone]).toEqual([true, []])
    presence.answered('other')
    announce('other', false, 'link-9')
    expect(presence.isOnline('other')).toBe(false)
  })

  test('on an unknown link learns it from its retained status', () => {
    const { presence, gone, announce } = start()
    presence.answered('dev')
    presence.update('dev', Buffer.from(JSON.stringify({ online: true, link: 'link-2' })), true)
    announce('dev', false, 'link-1')
    expect([presence.isOnline('dev'), gone]).toEqual([true, []])
    announce('dev', false, 'link-2')
    expect(presence.isOnline('dev')).toBe(false)
  })
})

describe('any sequence of status messages', () => {
  const messages = fc.array(
    fc.record({ deviceId: fc.constantFrom('a', 'b'), online: fc.boolean(), link: fc.constantFrom('1', '2', '3') }),
  )

  test('leaves a device online exactly when its latest link has not ended', () => {
    fc.assert(
      fc.property(messages, (sent) => {
        const { presence, announce } = start()
        const up = new Map<string, string>()
        for (const { deviceId, online, link } of sent) {
          announce(deviceId, online, link)
          if (online) up.set(deviceId, link)
          else if (up.get(deviceId) === link) up.delete(deviceId)
          expect([presence.isOnline('a'), presence.isOnline('b')]).toEqual([up.has('a'), up.has('b')])
          expect(presence.onlineCount).toBe(up.size)
        }
      }),
    )
  })
})
