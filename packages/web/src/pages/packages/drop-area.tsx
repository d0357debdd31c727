import { Button, FileButton, Text } from '@mantine/core'
import { packages } from '../../texts/packages.ts'
import classes from './packages.module.css'
import { useFileDrop } from './use-file-drop.ts'

const { importing } = packages

/** A large place to drop a package on; the rest of the page takes it too. */
export function DropArea({ onFiles }: { onFiles: (files: File[], isFolder: boolean) => void }) {
  const isOver = useFileDrop(true, onFiles)
  return (
    <div className={classes.drop} data-over={isOver}>
      <Text fw={600} size="lg">
        {isOver ? importing.dropNow : importing.drop}
      </Text>
      <Text size="sm" maw={460}>
        {importing.dropHint}
      </Text>
      <FileButton
        onChange={(file) => onFiles(file ? [file] : [], false)}
        inputProps={{ 'aria-label': importing.input }}
      >
        {(props) => <Button {...props}>{importing.choose}</Button>}
      </FileButton>
    </div>
  )
}
