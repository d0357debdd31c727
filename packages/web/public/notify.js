// Shows new alerts while no page of the console is open. The page stored the texts, in the language of the person.
const TEXTS = '/notification-texts'

self.addEventListener('push', (event) => event.waitUntil(show(event.data.json())))
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

async function show({ count, orgId, siteId, site, alert }) {
  const texts = await (await caches.match(TEXTS))?.json()
  const many = texts?.many[Math.min(count, texts.many.length) - 1] ?? `${count}`
  const sentence = texts?.sentences[alert.kind]?.replace(/\{(subject|device)\}/g, (_, name) => alert[name])
  const says =
    texts?.isOpen && sentence ? { title: `${site}: ${many}`, body: sentence } : { title: 'Plantroom', body: many }
  await self.registration.showNotification(says.title, {
    body: says.body,
    // The page shows the same alert under the same tag.
    tag: alert.id,
    icon: '/icon-192.png',
    data: `/o/${orgId}/s/${siteId}/alerts?alert=${encodeURIComponent(alert.id)}`,
  })
}

async function open(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [page] = pages
  if (!page) return self.clients.openWindow(path)
  await page.focus()
  // Only a page that this program controls may be sent elsewhere.
  return page.navigate(path).catch(() => self.clients.openWindow(path))
}
