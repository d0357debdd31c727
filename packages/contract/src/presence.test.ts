import { describe, expect, test } from 'vitest'
import { parseDeviceStatus } from './presence.ts'
import { EARLIEST_SOFTWARE, OWN_SOFTWARE } from './software.ts'

describe('the status of a device', () => {
  test.each([true, false])('has online (%s) and the link', (online) => {
    expect(parseDeviceStatus(JSON.stringify({ online, link: 'link_1' }))).toEqual({
      online,
      link: 'link_1',
      software: EARLIEST_SOFTWARE,
    })
  })

  test('says what software the device runs', () => {
    const sent = JSON.stringify({ online: true, link: 'link_1', software: OWN_SOFTWARE })
    expect(parseDeviceStatus(sent)?.software).toEqual(OWN_SOFTWARE)
  })

  test('ignores other fields', () => {
    const sent = '{"online":true,"link":"link_1","__proto__":{"admin":true},"extra":1}'
    expect(parseDeviceStatus(sent)).toStrictEqual({
      online: true,
      link: 'link_1',
      software: EARLIEST_SOFTWARE,
    })
  })

  test.each(['', 'online', '{', 'null', 'true', '[]', '{}', '{"online":true}', '{"online":1,"link":"link_1"}'])(
    'is nothing to go by when it is %j',
    (text) => {
      expect(parseDeviceStatus(text)).toBeUndefined()
    },
  )
})
