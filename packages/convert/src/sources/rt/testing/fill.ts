import { spawnSync } from 'node:child_process'

/** Fills an empty RT through its REST interface and its mail gateway, as people and their mail programs do. */
export async function fill(address: string): Promise<void> {
  const as = (user: string) => (path: string, body: object, method?: string) => send(address, user, path, body, method)
  const root = as('root')
  const jaan = as('jaan')
  const mari = as('mari')

  mail(address, HTML_WITH_PHOTO)
  await jaan('ticket/1/correspond', { ContentType: 'text/plain', Content: 'Tere!\n\nTulen homme kell 9.\nJaan' })
  await jaan('ticket/1/comment', {
    ContentType: 'text/plain',
    Content: 'Ventiil kinni roostes. Võtmed majahoidja käes.',
    Attachments: [
      { FileName: 'märkmed.txt', FileType: 'text/plain', FileContent: base64('Ventiil DN15\r\n– vahetada\r\n') },
    ],
  })
  await jaan('ticket/1', { Status: 'open', Owner: 'jaan', Priority: 80, CustomFields: { Asukoht: 'Korter 12' } }, 'PUT')

  const heating = {
    Queue: 'Hooldus – Maja A',
    Subject: 'Radiaator lekib 💧 "2. korrus"',
    Requestor: ['kati@example.org', 'anu.saar@example.org'],
    Cc: ['naaber@example.org'],
    AdminCc: ['mari'],
    Owner: 'mari',
    Priority: 50,
    Due: '2026-12-01T10:00:00Z',
    TimeEstimated: 90,
    CustomFields: { Asukoht: 'Trepikoda', Seadmed: ['Radiaator R-2', 'Pump; P-1'] },
  }
  await root('ticket', { ...heating, ContentType: 'text/plain', Content: 'Põrandal on vesi.\r\n\r\n=HYPERLINK("x")' })
  await mari('ticket/2', { Status: 'stalled', TimeWorked: 25 }, 'PUT')
  await mari('ticket/2/correspond', {
    ContentType: 'text/html',
    Content: '<p>Ootame <b>tihendit</b>.</p><p>Mari &amp; Co</p>',
  })

  await root('ticket', {
    Queue: 'Hooldus – Maja A',
    Subject: 'Kütte kordus',
    Requestor: 'kati@example.org',
    ContentType: 'text/plain',
    Content: 'Ikka külm.',
  })
  await jaan('ticket/3/comment', { ContentType: 'text/plain', Content: 'Sama mis 1.' })
  await jaan('ticket/3', { MergeInto: 1 }, 'PUT')

  await root('ticket', { Queue: 'General', Subject: 'Spam', Requestor: 'spam@example.net' })
  await root('ticket/4', { Status: 'rejected' }, 'PUT')
  await root('ticket', { Queue: 'General', Subject: 'By mistake', ContentType: 'text/plain', Content: 'Delete me.' })
  await root('ticket/5', { Status: 'deleted' }, 'PUT')

  mail(address, ALTERNATIVES_WITH_INLINE_PICTURE)
  mail(address, LATIN_WITHOUT_SUBJECT)
  await jaan('ticket/7', { Status: 'resolved' }, 'PUT')
  await jaan('ticket/6', { DependsOn: 2 }, 'PUT')
  await root('ticket/1', { Status: 'resolved' }, 'PUT')
}

async function send(address: string, user: string, path: string, body: object, method = 'POST'): Promise<void> {
  const response = await fetch(`${address}/REST/2.0/${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', authorization: `Basic ${base64(`${user}:password`)}` },
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

function mail(address: string, message: Buffer): void {
  const queue = 'Hooldus – Maja A'
  const sent = spawnSync('rt-mailgate', ['--url', address, '--queue', queue, '--action', 'correspond'], {
    input: message,
  })
  if (sent.status !== 0) throw new Error(`rt-mailgate: ${sent.stderr}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const HTML_WITH_PHOTO = Buffer.from(`From: =?utf-8?Q?Kati_K=C3=B5iv?= <kati@example.org>
To: rt@example.com
Cc: naaber@example.org
Subject: =?utf-8?B?S8O8dHRlIGVpIHTDtsO2dGE=?=
Message-ID: <m1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b1"

--b1
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 8bit

<html><body><h2>Küte ei tööta</h2><p>Korteris <b>12</b> on 14&nbsp;°C.<br>Palun tulge!</p>
<ul><li>radiaator 1</li><li>radiaator 2</li></ul></body></html>
--b1
Content-Type: image/png; name="=?utf-8?Q?m=C3=B5=C3=B5t.png?="
Content-Disposition: attachment; filename="=?utf-8?Q?m=C3=B5=C3=B5t.png?="
Content-Transfer-Encoding: base64

${PIXEL}
--b1--
`)

const ALTERNATIVES_WITH_INLINE_PICTURE = Buffer.from(`From: Anu Saar <anu.saar@example.org>
To: rt@example.com
Subject: Uks ei sulgu
Message-ID: <m2@example.org>
MIME-Version: 1.0
Content-Type: multipart/related; boundary="b2"

--b2
Content-Type: multipart/alternative; boundary="b3"

--b3
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

Välisuks jääb lahti.
> tsitaat
--b3
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 8bit

<p>Välisuks jääb <i>lahti</i>. <img src="cid:p1"></p>
--b3--
--b2
Content-Type: image/png
Content-ID: <p1>
Content-Disposition: inline
Content-Transfer-Encoding: base64

${PIXEL}
--b2--
`)

// Latin-1, as old mail programs write it.
const LATIN_WITHOUT_SUBJECT = Buffer.from(
  `From: haldur@example.org
To: rt@example.com
Message-ID: <m3@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

Õues on pime, lamp põles läbi.
`,
  'latin1',
)
