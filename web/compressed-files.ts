import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
/** Below this size the server sends a file as it is. */
const WORTH_COMPRESSING_BYTES = 1024;

/**
 * Writes each script and style sheet a second time, compressed as well as brotli can. That takes too long for a server while
 * somebody waits, and saves a slow line a tenth of what it would compress itself.
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
            const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
            return { fileName, source: await compress(bytes, { params }) };
          }),
        );
        for (const { fileName, source } of compressed) this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}
