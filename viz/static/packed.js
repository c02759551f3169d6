// @ts-check
// What a page packs, gzipped and in letters: read when the page begins, or when somebody asks.

/** @param {string} packed @returns {Promise<string>} */
export async function unzipped(packed) {
  const bytes = Uint8Array.from(atob(packed), char => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
/** What was packed as JSON.
 * @param {string} packed @returns {Promise<any>} */
export const unpacked = async packed => JSON.parse(await unzipped(packed));
