import sys
from tests.bench.bench_keys import row
from time import process_time
for g in sys.argv[1:]:
    t=process_time(); print(row(g), round(process_time()-t,1), flush=True)
