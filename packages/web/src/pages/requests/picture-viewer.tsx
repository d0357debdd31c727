import { Button, Group, Text } from '@mantine/core'
import type { Attachment } from '@plantroom/contract/tickets'
import { type ReactNode, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Modal } from '../../parts/dialogs.tsx'
import { format } from '../../texts/format.ts'
import { viewer } from '../../texts/request-parts.ts'
import { nextZoom } from './picture.ts'
import classes from './requests.module.css'

const PARAMETER = 'photo'

/** The picture in the address of the page, so that Back closes the viewer and a link opens it. */
export function useShownPicture() {
  const [params, setParams] = useSearchParams()
  const openedHere = useRef(false)
  return {
    shownId: params.get(PARAMETER),
    show(id: string, { replace = false } = {}) {
      if (!replace) openedHere.current = true
      setParams({ [PARAMETER]: id }, { replace })
    },
    close() {
      if (openedHere.current) window.history.back()
      else setParams({}, { replace: true })
      openedHere.current = false
    },
  }
}

/** Shows one of several pictures on the whole screen: arrow keys change it, + and - zoom, Escape and Back close it. */
export function PictureViewer({
  pictures,
  shownId,
  addressOf,
  onShow,
  onClose,
  download,
}: {
  pictures: readonly Attachment[]
  shownId: string | null
  addressOf: (id: string) => string
  onShow: (id: string) => void
  onClose: () => void
  download: (picture: Attachment) => ReactNode
}) {
  const place = pictures.findIndex(({ id }) => id === shownId)
  const picture = pictures[place]
  const move = (by: number) => {
    const next = pictures[(place + by + pictures.length) % pictures.length]
    if (next) onShow(next.id)
  }
  return (
    <Modal
      opened={picture !== undefined}
      onClose={onClose}
      byAddress
      title={picture?.name}
      fullScreen
      classNames={{ content: classes.viewer, body: classes.viewerBody }}
      transitionProps={{ duration: 0 }}
    >
      {picture && (
        <Picture
          key={picture.id}
          picture={picture}
          address={addressOf(picture.id)}
          position={format(viewer.place, { place: place + 1, count: pictures.length })}
          onMove={pictures.length > 1 ? move : undefined}
          download={download(picture)}
        />
      )}
    </Modal>
  )
}

function Picture({
  picture,
  address,
  position,
  onMove,
  download,
}: {
  picture: Attachment
  address: string
  position: string
  onMove: ((by: number) => void) | undefined
  download: ReactNode
}) {
  const [zoom, setZoom] = useState(1)
  const [hasFailed, setFailed] = useState(false)
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ArrowLeft: onMove && zoom === 1 ? () => onMove(-1) : undefined,
    ArrowRight: onMove && zoom === 1 ? () => onMove(1) : undefined,
    '+': () => setZoom((before) => nextZoom(before, 1)),
    '-': () => setZoom((before) => nextZoom(before, -1)),
    '0': () => setZoom(1),
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys repeat what the buttons do
    <div
      className={classes.viewerBody}
      onKeyDown={(event) => {
        const act = keys[event.key]
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        act()
      }}
    >
      <Group gap="xs" justify="center">
        {onMove && (
          <>
            <Button variant="default" size="xs" onClick={() => onMove(-1)} aria-label={viewer.previous}>
              ←
            </Button>
            <Text size="sm" role="status">
              {position}
            </Text>
            <Button variant="default" size="xs" onClick={() => onMove(1)} aria-label={viewer.next} data-autofocus>
              →
            </Button>
          </>
        )}
        <Button variant="default" size="xs" onClick={keys['-']} aria-label={viewer.zoomOut} disabled={zoom === 1}>
          −
        </Button>
        <Button variant="default" size="xs" onClick={keys['0']} aria-label={viewer.fit}>
          {format(viewer.zoom, { percent: Math.round(zoom * 100) })}
        </Button>
        <Button variant="default" size="xs" onClick={keys['+']} aria-label={viewer.zoomIn} disabled={zoom === 8}>
          +
        </Button>
        {download}
      </Group>
      {hasFailed ? (
        <Text ta="center" role="alert">
          {viewer.failed}
        </Text>
      ) : (
        <div className={classes.stage} tabIndex={zoom > 1 ? 0 : undefined}>
          <img
            src={address}
            alt={picture.name}
            style={{
              maxWidth: `${zoom * 100}%`,
              maxHeight: `${zoom * 100}%`,
              ...(zoom > 1 && { width: `${zoom * 100}%` }),
            }}
            onError={() => setFailed(true)}
          />
        </div>
      )}
    </div>
  )
}
