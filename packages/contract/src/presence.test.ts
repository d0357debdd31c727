import { describe, expect, test } from 'vitest'
import { parseDeviceStatus } from './presence.ts'

describe('the status of a device', () => {
  test.each([true, false])('says whether it is online (%s), and by which link', (online) => {
    expect(parseDeviceStatus(JSON.stringify({ online, link: 'link_1' }))).toEqual({ online, link: 'link_1' })
  })

  test('holds no more than that, whatever else was sent', () => {
    const sent = '{"online":true,"link":"link_1","__proto__":{"admin":true},"extra":1}'
    expect(parseDeviceStatus(sent)).toStrictEqual({ online: true, link: 'link_1' })
  })

  test.each(['', 'online', '{', 'null', 'true', '[]', '{}', '{"online":true}', '{"online":1,"link":"link_1"}'])(
    'is nothing to go by when it is %j',
    (text) => {
      expect(parseDeviceStatus(text)).toBeUndefined()
    },
  )
})
