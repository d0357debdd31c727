import { Anchor, Group, List, Loader, Stack, Text } from '@mantine/core'
import { pathOf } from '@plantroom/client/client'
import type { Attachment } from '@plantroom/contract/tickets'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/service.ts'
import { useSite } from '../../api/use-site.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { bytes } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { requestFields } from '../../texts/request-fields.ts'
import { files as texts, viewer } from '../../texts/request-parts.ts'
import { request } from '../../texts/requests.ts'
import { mayBePicture } from './picture.ts'
import { PictureViewer, useShownPicture } from './picture-viewer.tsx'
import classes from './requests.module.css'

/** The files of a request or of a comment: pictures as thumbnails that open a viewer, other files as links. */
export function AttachmentList({ number, attachments }: { number: number; attachments: readonly Attachment[] }) {
  const { orgId, siteId } = useSite()
  const [notShown, setNotShown] = useState<ReadonlySet<string>>(new Set())
  const { shownId, show, close } = useShownPicture()
  if (attachments.length === 0) return null
  const isPicture = (one: Attachment) => mayBePicture(one) && !notShown.has(one.id)
  const addressOf = (attachmentId: string) =>
    pathOf('getAttachmentImage', { orgId, propertyId: siteId, number, attachmentId })
  const pictures = attachments.filter(isPicture)
  const others = attachments.filter((one) => !isPicture(one))
  return (
    <Stack gap="xs">
      {pictures.length > 0 && (
        <ul className={classes.pictures} aria-label={texts.pictures}>
          {pictures.map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className={classes.picture}
                onClick={() => show(id)}
                aria-label={format(texts.open, { name })}
              >
                <img
                  src={addressOf(id)}
                  alt={name}
                  loading="lazy"
                  decoding="async"
                  width={112}
                  height={112}
                  onError={() => setNotShown((before) => new Set([...before, id]))}
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <List listStyleType="none" spacing={6} aria-label={requestFields.attachments}>
          {others.map((attachment) => (
            <List.Item key={attachment.id}>
              <AttachmentLink number={number} attachment={attachment} hasNoPreview={notShown.has(attachment.id)} />
            </List.Item>
          ))}
        </List>
      )}
      <PictureViewer
        pictures={pictures}
        shownId={shownId}
        addressOf={addressOf}
        onShow={(id) => show(id, { replace: true })}
        onClose={close}
        download={(attachment) => <AttachmentLink number={number} attachment={attachment} label={viewer.download} />}
      />
    </Stack>
  )
}

/** A named link with size and type. Requests the address on click, because it expires soon. */
function AttachmentLink({
  number,
  attachment,
  label = attachment.name,
  hasNoPreview = false,
}: {
  number: number
  attachment: Attachment
  label?: string
  hasNoPreview?: boolean
}) {
  const { orgId, siteId } = useSite()
  const { id, name, size, contentType } = attachment
  const open = useMutation({
    async mutationFn(tab: Window | null) {
      try {
        const { url } = await api.getAttachmentUrl({ orgId, propertyId: siteId, number, attachmentId: id })
        if (tab) tab.location.replace(url)
        else window.location.assign(url)
      } catch (error) {
        tab?.close()
        throw error
      }
    },
  })

  function start() {
    // Browsers allow a new tab only while they handle the click.
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    open.mutate(tab)
  }

  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Anchor component="button" type="button" ta="start" onClick={start} disabled={open.isPending}>
          {label}
        </Anchor>
        <Text span size="sm">
          {contentType === null ? bytes(size) : format(texts.sizeAndType, { size: bytes(size), type: contentType })}
        </Text>
        {open.isPending && <Loader size="xs" aria-hidden />}
      </Group>
      {hasNoPreview && <Text size="sm">{texts.noPreview}</Text>}
      {open.error && <ErrorNotice error={open.error} title={format(request.attachmentFailed, { name })} />}
    </Stack>
  )
}
