import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
/** Below this size the server sends a file as it is. */
const WORTH_COMPRESSING_BYTES = 1024;

/**
 * Writes each script and style sheet a second time, compressed better than a server can while somebody waits. Quality 10, because 11
 * saves a fiftieth more and takes three times as long, and everybody who installs this waits for it.
 */
export function compressedFiles(): Plugin {
  return {
    name: 'compressed-files',
    apply: 'build',
    generateBundle: {
      // Vite puts the names of other files into the scripts in this phase: compress what comes out of that.
      order: 'post',
      async handler(_options, bundle) {
        const texts = Object.values(bundle).map((file) => ({
          fileName: `${file.fileName}.br`,
          bytes: Buffer.from(file.type === 'chunk' ? file.code : file.source),
        }));
        const worthIt = texts.filter(
          ({ fileName, bytes }) => /\.(js|css)\.br$/.test(fileName) && bytes.length >= WORTH_COMPRESSING_BYTES,
        );
        // All at once: zlib has threads of its own, and this is most of the time that a build takes.
        const compressed = await Promise.all(
          worthIt.map(async ({ fileName, bytes }) => {
            const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
            return { fileName, source: await compress(bytes, { params }) };
          }),
        );
        for (const { fileName, source } of compressed) this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}
