import sys,json,base64,subprocess,pathlib,time
tool=sys.argv[1]; docs=[]
for p in sys.argv[2:]:
    docs.append({"name":p,"text":base64.b64encode(pathlib.Path(p).read_bytes()).decode()})
t=time.time()
r=subprocess.run((["node","resave.mjs",tool] if tool in ("dockerfmt","hcl2json","openchemlib","papaparse","pgn","prettier","svgo","viz") else [".venv/bin/python","resave.py",tool]),input=json.dumps(docs),capture_output=True,text=True)
if r.returncode: print(tool, r.stderr[-600:])
else:
    for d,a in zip(docs,json.loads(r.stdout)):
        print(f"{tool} {time.time()-t:.1f}s", d["name"].split("/")[-1], a.get("refused") or "ok")
        if "text" in a: pathlib.Path("/tmp/resaved").mkdir(exist_ok=True); pathlib.Path("/tmp/resaved/"+tool+"_"+d["name"].split("/")[-1]).write_bytes(base64.b64decode(a["text"]))
