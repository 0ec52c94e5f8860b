# Reads, edits and writes pictures. Pillow is used where it is installed; else PNG and
# Windows bitmaps are read and written here, with eight bits a channel.
import io, json, os, random, struct, sys, zlib

try:
    from PIL import Image
except ImportError:
    Image = None


def read_png(raw):
    at, data, palette = 8, b'', None
    while at < len(raw):
        size, kind = struct.unpack('>I4s', raw[at:at + 8])
        body = raw[at + 8:at + 8 + size]
        if kind == b'IHDR':
            width, height, depth, colour, _, _, interlaced = struct.unpack('>IIBBBBB', body)
        elif kind == b'PLTE':
            palette = body
        elif kind == b'IDAT':
            data += body
        at += size + 12
    if depth != 8 or interlaced:
        raise ValueError('a PNG of a kind that needs Pillow')
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    data, step = zlib.decompress(data), width * channels
    rows, before = [], bytearray(step)
    for y in range(height):
        kind = data[y * (step + 1)]
        row = bytearray(data[y * (step + 1) + 1:(y + 1) * (step + 1)])
        if kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, before))
        elif kind:
            for i in range(step):
                a = row[i - channels] if i >= channels else 0
                if kind == 1:
                    add = a
                elif kind == 3:
                    add = (a + before[i]) >> 1
                else:
                    b, c = before[i], before[i - channels] if i >= channels else 0
                    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - c - c)
                    add = a if pa <= pb and pa <= pc else b if pb <= pc else c
                row[i] = (row[i] + add) & 255
        rows.append(bytes(row))
        before = row
    pixels = b''.join(rows)
    if colour == 3:
        pixels = b''.join(palette[3 * i:3 * i + 3] for i in pixels)
    elif channels != 3:
        first = [pixels[c::channels] for c in range(channels)]
        pixels = joined(*(first[:3] if channels == 4 else first[:1] * 3))
    return width, height, pixels


def joined(r, g, b):
    out = bytearray(3 * len(r))
    out[0::3], out[1::3], out[2::3] = r, g, b
    return bytes(out)


def read_bmp(raw):
    start, = struct.unpack('<I', raw[10:14])
    width, height, _, depth = struct.unpack('<iiHH', raw[18:30])
    size, step = depth // 8, (width * depth // 8 + 3) // 4 * 4
    rows = []
    for y in range(abs(height)):
        line = start + step * (y if height < 0 else height - 1 - y)
        row = raw[line:line + width * size]
        rows.append(joined(row[2::size], row[1::size], row[0::size]))
    return width, abs(height), b''.join(rows)


def load(name):
    with open(name, 'rb') as f:
        raw = f.read()
    if Image:
        picture = Image.open(io.BytesIO(raw)).convert('RGB')
        return picture.width, picture.height, picture.tobytes()
    return read_bmp(raw) if raw[:2] == b'BM' else read_png(raw)


def save(name, picture):
    width, height, pixels = picture
    if Image:
        Image.frombytes('RGB', (width, height), bytes(pixels)).save(name)
        return
    with open(name, 'wb') as f:
        if name.endswith('.bmp'):
            pad = b'\0' * (-3 * width % 4)
            rows = []
            for y in reversed(range(height)):
                row = pixels[3 * width * y:3 * width * (y + 1)]
                rows.append(joined(row[2::3], row[1::3], row[0::3]) + pad)
            body = b''.join(rows)
            f.write(struct.pack('<2sIHHIIiiHHIIiiII', b'BM', 54 + len(body), 0, 0, 54, 40, width, height, 1, 24, 0, len(body), 2835, 2835, 0, 0) + body)
            return

        def chunk(kind, body):
            f.write(struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body)))
        f.write(b'\x89PNG\r\n\x1a\n')
        chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0))
        # Each row as the difference from the one above, which packs better than the values.
        rows, before = [], bytes(3 * width)
        for y in range(height):
            row = pixels[3 * width * y:3 * width * (y + 1)]
            rows.append(b'\2' + bytes((a - b) & 255 for a, b in zip(row, before)))
            before = row
        chunk(b'IDAT', zlib.compress(b''.join(rows)))
        chunk(b'IEND', b'')


def moved(picture, width, height, of):
    w, _, pixels = picture
    out = bytearray(3 * width * height)
    to = 0
    for y in range(height):
        for x in range(width):
            sx, sy = of(x, y)
            at = 3 * (sy * w + sx)
            out[to:to + 3] = pixels[at:at + 3]
            to += 3
    return width, height, bytes(out)


def mapped(picture, table):
    return picture[0], picture[1], bytes(picture[2]).translate(bytes(table))


def tiles(picture, back):
    w, h, _ = picture
    a, b = w // 8, h // 8
    place = [(37 * n + 11) % 64 for n in range(64)]
    source = place if back else [place.index(n) for n in range(64)]

    def of(x, y):
        n = source[y // b * 8 + x // a]
        return n % 8 * a + x % a, n // 8 * b + y % b
    return moved(picture, w, h, of)


def edit(name, back, parts):
    p = parts[0]
    w, h, pixels = p
    if name == 'mirror':
        return [moved(p, w, h, lambda x, y: (w - 1 - x, y))]
    if name == 'quarter_turn':
        return [moved(p, h, w, (lambda x, y: (w - 1 - y, x)) if back else (lambda x, y: (y, h - 1 - x)))]
    if name == 'frame':
        if back:
            return [moved(p, w - 48, h - 48, lambda x, y: (x + 24, y + 24))]
        side = b'\x2b\x1d\x14'
        rows = [side * 24 + pixels[3 * w * y:3 * w * (y + 1)] + side * 24 for y in range(h)]
        edge = side * ((w + 48) * 24)
        return [(w + 48, h + 48, edge + b''.join(rows) + edge)]
    if name == 'cycle_channels':
        r, g, b = pixels[0::3], pixels[1::3], pixels[2::3]
        return [(w, h, joined(b, r, g) if back else joined(g, b, r))]
    if name == 'negative':
        return [mapped(p, [255 - v for v in range(256)])]
    if name == 'tiles':
        return [tiles(p, back)]
    if name == 'double':
        if back:
            return [moved(p, w // 2, h // 2, lambda x, y: (2 * x, 2 * y))]
        return [moved(p, 2 * w, 2 * h, lambda x, y: (x // 2, y // 2))]
    if name == 'shear':
        return [moved(p, w, h, lambda x, y: ((x + (3 if back else -3) * y) % w, y))]
    if name == 'bitmap':
        return [p]
    if name == 'centre_and_margin':
        if back:
            (cw, ch, centre), (w, h, margin) = parts
            out, left, top = bytearray(margin), w // 8, h // 8
            for y in range(ch):
                at = 3 * ((y + top) * w + left)
                out[at:at + 3 * cw] = centre[3 * cw * y:3 * cw * (y + 1)]
            return [(w, h, bytes(out))]
        left, top = w // 8, h // 8
        cw, ch = w - 2 * left, h - 2 * top
        margin = bytearray(pixels)
        for y in range(ch):
            at = 3 * ((y + top) * w + left)
            margin[at:at + 3 * cw] = bytes(3 * cw)
        return [moved(p, cw, ch, lambda x, y: (x + left, y + top)), (w, h, bytes(margin))]
    if name == 'colour_separations':
        if back:
            return [(w, h, joined(*(part[2][0::3] for part in parts)))]
        return [(w, h, joined(*[pixels[c::3]] * 3)) for c in range(3)]
    if name == 'alternate_rows':
        if back:
            rows = [parts[y % 2][2][3 * w * (y // 2):3 * w * (y // 2 + 1)] for y in range(h + parts[1][1])]
            return [(w, len(rows), b''.join(rows))]
        rows = [pixels[3 * w * y:3 * w * (y + 1)] for y in range(h)]
        return [(w, len(rows[k::2]), b''.join(rows[k::2])) for k in range(2)]
    if name == 'poster':
        if back:
            return [(w, h, bytes(min(255, a + b // 8) for a, b in zip(pixels, parts[1][2])))]
        return [mapped(p, [v // 32 * 32 for v in range(256)]), mapped(p, [v % 32 * 8 for v in range(256)])]
    raise ValueError('there is no edit ' + name)


def harmed(picture, harm):
    w, h, pixels = picture
    chance = random.Random(harm['seed'])
    kind, amount = harm['kind'], harm['amount']
    if kind == 'jpeg' and Image:
        out = io.BytesIO()
        Image.frombytes('RGB', (w, h), pixels).save(out, 'JPEG', quality=int(amount))
        return w, h, Image.open(out).convert('RGB').tobytes()
    if kind == 'shift':
        by = [chance.choice([-1, 1]) * int(amount) for _ in range(3)]
        tables = [bytes(min(255, max(0, v + d)) for v in range(256)) for d in by]
        return w, h, joined(*(pixels[c::3].translate(tables[c]) for c in range(3)))
    if kind == 'blur':
        before = pixels[3:] + pixels[-3:]
        return w, h, bytes(int(a + (b - a) * amount / 2 + 0.5) for a, b in zip(pixels, before))
    if kind == 'region':
        size = max(1, int(min(w, h) * amount))
        x, y = chance.randrange(w - size + 1), chance.randrange(h - size + 1)
        out = bytearray(pixels)
        for row in range(y, y + size):
            at = 3 * (row * w + x)
            out[at:at + 3 * size] = out[at:at + 3] * size
        return w, h, bytes(out)
    most = int(amount) if kind == 'noise' else 4
    noise = bytes(chance.randrange(2 * most + 1) for _ in range(4099))
    return w, h, bytes(min(255, max(0, v + noise[i * 7 % 4099] - most)) for i, v in enumerate(pixels))


def main(job):
    at = lambda name: job['above'] + name
    harm = job.get('harm')
    parts = [load(at(name)) for name in job['sources']]
    if harm and not job['back']:
        parts = [harmed(p, harm) for p in parts]
    made = edit(job['edit'], job['back'], parts) if job['edit'] else parts
    if harm and job['back']:
        made = [harmed(p, harm) for p in made]
    for name, picture in zip(job['targets'], made):
        save(at(name), picture)
        print(name, '%d x %d' % picture[:2])
    for name in job['sources']:
        if name not in job['targets']:
            os.remove(at(name))


